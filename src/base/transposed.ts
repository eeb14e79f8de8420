/** Tensors with their axes in another order: filters are [K, C, R, S] here and [R, S, C, K] in TensorFlow. */
import type { Shape } from './shape.ts';

/**
 * The same values with the axes in another order.
 * @param shape of `data`, last dimension fastest
 * @param order for each axis of the result, which axis of `shape` it is
 */
export function transposed(
  data: Float32Array,
  shape: Shape,
  order: readonly number[],
): Float32Array<ArrayBuffer> {
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((product, size) => product * size, 1));
  const sizes = order.map((axis) => shape[axis]);
  const steps = order.map((axis) => strides[axis]);
  const result = new Float32Array(data.length);
  const index = sizes.map(() => 0);
  let from = 0;
  for (let to = 0; to < result.length; to++) {
    result[to] = data[from];
    for (let axis = sizes.length - 1; axis >= 0; axis--) {
      from += steps[axis];
      if (++index[axis] < sizes[axis]) break;
      from -= steps[axis] * sizes[axis];
      index[axis] = 0;
    }
  }
  return result;
}

/** The order that undoes another one. */
export const inverse = (order: readonly number[]): number[] => order.map((_, axis) => order.indexOf(axis));
