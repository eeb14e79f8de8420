import type { Shape } from '../base/shape.ts';
import type { Trained } from '../models/file/weights.ts';

/** A network read from a file of another program. */
export interface Imported extends Trained {
  /** What is different here, for the person: one sentence each. */
  notes: readonly string[];
  /** How the parameters were found by name, where the file has no network of its own. */
  matches?: readonly Match[];
}

/** One parameter of the network, or a tensor of the file that none of them takes. */
export interface Match {
  /** The parameter's name, or the tensor's. */
  name: string;
  shape: Shape;
  /** `matched`; `missing`: not in the file, so it starts at random; `other shape`: likewise; `unused`: only in the file. */
  found: 'matched' | 'missing' | 'other shape' | 'unused';
  /** The tensor's name in the file, where it is another. */
  from?: string;
}
