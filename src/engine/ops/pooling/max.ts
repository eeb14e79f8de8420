import { elements, type Shape } from '../../../base/shape.ts';
import type { Constants } from '../../../gpu/link.ts';
import * as specs from '../../../ops/pooling/attributes.ts';
import type { Op } from '../../op.ts';
import { elementGrid, grid, type Tensor } from '../../plan.ts';
import {
  adaptiveConstants,
  adaptiveOutputShape,
  type AdaptivePoolAttributes,
  type MaxPoolAttributes,
  poolConstants,
  poolOutputShape,
  poolProblem,
} from './geometry.ts';

/**
 * The largest value of each window and its index, for any layout of windows. Backward gathers, so its sums have a fixed
 * order.
 * @param constants of the shaders
 * @param shaders the prefix of the forward and backward kernels' names
 */
export function largestOf<A>(
  name: string,
  outputShape: (attributes: A, input: Shape) => Shape,
  constants: (attributes: A, input: Tensor) => Constants,
  shaders = 'pooling/max_',
): Omit<Op<A>, 'title'> {
  return {
    name,
    outputShape,

    forward(plan, { label, attributes, input, output, saved }) {
      const count = elements(output.shape);
      saved.argmax = plan.tensor(`${label} argmax`, output.shape);
      plan.dispatch({
        label,
        kernel: {
          shader: `${shaders}forward`,
          constants: { ...constants(attributes, input), Number: input.type },
        },
        tensors: { x: input, y: output, argmax: saved.argmax },
        uniforms: { count },
        workgroups: grid(count, 64),
      });
    },

    backward(plan, { label, attributes, input, saved, outputGradient, inputGradient, maskInput }) {
      if (!inputGradient) return;
      const count = elements(input.shape);
      plan.dispatch({
        label: `${label} backward`,
        kernel: {
          shader: `${shaders}backward`,
          constants: { ...constants(attributes, input), Number: input.type, MASK: maskInput },
        },
        tensors: {
          dy: outputGradient,
          argmax: saved.argmax,
          // Not read without a mask; binding the input would prolong its life for nothing.
          x: maskInput ? input : outputGradient,
          dx: inputGradient,
        },
        uniforms: { count },
        workgroups: elementGrid(count),
      });
    },
  };
}

/** The largest of each window, as PyTorch's nn.MaxPool2d. */
export const maxPool: Op<MaxPoolAttributes> = {
  title: 'Max pooling',
  attributes: specs.maxPool,
  channelsLast: true,
  ...largestOf(
    'max_pool',
    (attributes, input) => poolOutputShape(poolProblem('max_pool', attributes, input)),
    (attributes, { shape, layout }) => poolConstants(poolProblem('max_pool', attributes, shape), layout),
  ),
};

/** The largest of windows that divide the image among them, as PyTorch's nn.AdaptiveMaxPool2d. */
export const adaptiveMaxPool: Op<AdaptivePoolAttributes> = {
  title: 'Max pooling',
  attributes: specs.adaptivePool,
  channelsLast: true,
  ...largestOf(
    'adaptive_max_pool',
    (attributes, input) => adaptiveOutputShape('adaptive_max_pool', attributes, input),
    (attributes, { shape, layout }) => adaptiveConstants(attributes, shape, layout),
  ),
};
