import { elements } from '../../../base/shape.ts';
import type { References } from '../../reference/ops.ts';

/** Concatenation along channels. Each input has `runs[i]` values per image. */
export function concatForward(inputs: readonly ArrayLike<number>[], runs: readonly number[]): Float64Array {
  const images = inputs[0].length / runs[0];
  const y: number[] = [];
  for (let n = 0; n < images; n++) {
    inputs.forEach((input, i) => y.push(...Array.from(input).slice(n * runs[i], (n + 1) * runs[i])));
  }
  return Float64Array.from(y);
}

/** The gradients of the inputs. */
export function concatBackward(dy: ArrayLike<number>, runs: readonly number[]): Float64Array[] {
  const whole = runs.reduce((sum, run) => sum + run, 0);
  return runs.map((run, i) => {
    const before = runs.slice(0, i).reduce((sum, one) => sum + one, 0);
    return Float64Array.from(dy).filter((_, k) => k % whole >= before && k % whole < before + run);
  });
}

export default {
  concat({ inputs, shapes }) {
    const runs = shapes.map((shape) => elements(shape.slice(1)));
    return { y: concatForward(inputs, runs), backward: (dy) => ({ inputs: concatBackward(dy, runs) }) };
  },
} satisfies References;
