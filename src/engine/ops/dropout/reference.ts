import { randomWords } from '../../../base/random-words.ts';
import { droppedBelow, scaleOf, streamOf } from './drawing.ts';
import { Failure } from '../../../base/result.ts';
import { sameNumbers, type References } from '../../reference/ops.ts';

/** The factor of every element. Dropout is linear, so it is the gradient's factor too. */
export const dropoutFactors = (count: number, p: number, seed: number, layer: string): Float64Array =>
  Float64Array.from({ length: count }, (_, i) =>
    randomWords(seed, streamOf(layer), i)[0] >>> 8 < droppedBelow(p) ? 0 : scaleOf(p),
  );

export function dropoutForward(x: ArrayLike<number>, p: number, seed: number, layer: string): Float64Array {
  const factors = dropoutFactors(x.length, p, seed, layer);
  return Float64Array.from(x, (value, i) => value * factors[i]);
}

/** The gradient of x. */
export const dropoutBackward = dropoutForward;

export default {
  dropout(use) {
    if (use.attributes['p'] === 0) return sameNumbers(use);
    throw new Failure(
      'unsupported',
      'dropout is random in every step and cannot be compared with a reference',
    );
  },
} satisfies References;
