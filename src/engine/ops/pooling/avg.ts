import { elements, type Shape } from '../../../base/shape.ts';
import type { Constants } from '../../../gpu/link.ts';
import * as specs from '../../../ops/pooling/attributes.ts';
import type { Op } from '../../op.ts';
import { elementGrid, grid, type Tensor } from '../../plan.ts';
import {
  adaptiveConstants,
  adaptiveOutputShape,
  type AdaptivePoolAttributes,
  type AvgPoolAttributes,
  poolConstants,
  poolOutputShape,
  poolProblem,
} from './geometry.ts';

/**
 * The mean of each window, for any layout of windows. Backward gathers, so its sums have a fixed order.
 * @param constants of shaders/pooling/windows.wgsl
 */
export function averageOf<A>(
  name: string,
  outputShape: (attributes: A, input: Shape) => Shape,
  constants: (attributes: A, input: Tensor) => Constants,
): Omit<Op<A>, 'title'> {
  return {
    name,
    outputShape,

    forward(plan, { label, attributes, input, output }) {
      const count = elements(output.shape);
      plan.dispatch({
        label,
        kernel: {
          shader: 'pooling/avg_forward',
          constants: { ...constants(attributes, input), Number: input.type },
        },
        tensors: { x: input, y: output },
        uniforms: { count },
        workgroups: grid(count, 64),
      });
    },

    backward(plan, { label, attributes, input, outputGradient, inputGradient, maskInput }) {
      if (!inputGradient) return;
      const count = elements(input.shape);
      plan.dispatch({
        label: `${label} backward`,
        kernel: {
          shader: 'pooling/avg_backward',
          constants: { ...constants(attributes, input), Number: input.type, MASK: maskInput },
        },
        tensors: {
          dy: outputGradient,
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

/** The mean of each window, as PyTorch's nn.AvgPool2d. */
export const avgPool: Op<AvgPoolAttributes> = {
  title: 'Average pooling',
  attributes: specs.avgPool,
  channelsLast: true,
  ...averageOf(
    'avg_pool',
    (attributes, input) => poolOutputShape(poolProblem('avg_pool', attributes, input)),
    (attributes, { shape, layout }) => ({
      ...poolConstants(poolProblem('avg_pool', attributes, shape), layout),
      COUNT_PADDING: attributes.countIncludePad,
    }),
  ),
};

/** The means of windows that divide the image among them, as PyTorch's nn.AdaptiveAvgPool2d. */
export const adaptiveAvgPool: Op<AdaptivePoolAttributes> = {
  title: 'Average pooling',
  attributes: specs.adaptivePool,
  channelsLast: true,
  ...averageOf(
    'adaptive_avg_pool',
    (attributes, input) => adaptiveOutputShape('adaptive_avg_pool', attributes, input),
    (attributes, { shape, layout }) => adaptiveConstants(attributes, shape, layout),
  ),
};
