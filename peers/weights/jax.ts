/** The weights as arrays of jax-js. */
import { numpy as np } from '@jax-js/jax';
import type { ContenderTask } from '../contender.ts';

export const arraysOf = (weights: ContenderTask['weights']): Record<string, np.Array> =>
  Object.fromEntries(
    [...weights].map(([name, { shape, data }]) => [
      name,
      np.array(Float32Array.from(data)).reshape([...shape]),
    ]),
  );
