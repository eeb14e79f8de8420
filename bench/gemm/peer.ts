/** What every library is asked to do: C = A B for square matrices in float32, row by row in memory. */
import { INPUT_SEEDS, filledWith } from '../../src/engine/ops/conv/choice/inputs.ts';
import type { NumberSource } from '../../src/engine/ops/conv/sample.ts';
import type { Library as OperationLibrary } from '../operations/peer.ts';

export interface Task {
  /** Rows and columns. */
  size: number;
}

export type Library = OperationLibrary<Task>;

/** The numbers of A and B, the same for everyone: uniform on [-1, 1). */
export const SOURCES: Readonly<Record<'a' | 'b', NumberSource>> = {
  a: filledWith(INPUT_SEEDS.x, 'f32'),
  b: filledWith(INPUT_SEEDS.w, 'f32'),
};

/** All of them. */
export function inputNumbers({ size }: Task, name: 'a' | 'b'): Float32Array<ArrayBuffer> {
  const source = SOURCES[name];
  const numbers = new Float32Array(size * size);
  for (let i = 0; i < numbers.length; i++) numbers[i] = source(i);
  return numbers;
}
