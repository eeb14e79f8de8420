import type { MatchRow } from '../models/file/match.ts';
import type { Trained } from '../models/file/weights.ts';
import type { AssumedTexts } from './inferred/assumptions.ts';

/** A network read from a file of another program. */
export interface Imported extends Trained {
  /** What is different here, for the person: one sentence each. */
  notes: readonly string[];
  /** How the parameters were found by name, where the file has no network of its own. */
  matches?: readonly MatchRow[];
  /** What was assumed of the network, where it was inferred from names and shapes. */
  assumed?: AssumedTexts;
}
