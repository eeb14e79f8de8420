import { elements, type Shape } from '../../../base/shape.ts';
import type { Constants } from '../../../gpu/link.ts';
import { flag, paddingSpec, pair, required } from '../../../ops/attributes.ts';
import type { Op } from '../../op.ts';
import { elementGrid, grid, type Tensor } from '../../plan.ts';
import {
  adaptiveConstants,
  adaptiveOutputShape,
  type AdaptivePoolAttributes,
  type PoolAttributes,
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

export interface AvgPoolAttributes extends PoolAttributes {
  /** Whether the zeros of the padding count in the average. Default true. */
  countIncludePad?: boolean;
}

/** Windows without dilation, as in PyTorch. */
const problemOf = ({ kernelSize, stride, padding }: AvgPoolAttributes, input: Shape) =>
  poolProblem('avg_pool', { kernelSize, stride, padding }, input);

/** The mean of each window, as PyTorch's nn.AvgPool2d. */
export const avgPool: Op<AvgPoolAttributes> = {
  title: 'Average pooling',
  attributes: { kernelSize: required(pair()), stride: pair(), padding: paddingSpec, countIncludePad: flag },
  channelsLast: true,
  ...averageOf(
    'avg_pool',
    (attributes, input) => poolOutputShape(problemOf(attributes, input)),
    (attributes, { shape, layout }) => ({
      ...poolConstants(problemOf(attributes, shape), layout),
      COUNT_PADDING: attributes.countIncludePad ?? true,
    }),
  ),
};

/** The means of windows that divide the image among them, as PyTorch's nn.AdaptiveAvgPool2d. */
export const adaptiveAvgPool: Op<AdaptivePoolAttributes> = {
  title: 'Average pooling',
  attributes: { outputSize: required(pair()) },
  channelsLast: true,
  ...averageOf(
    'adaptive_avg_pool',
    (attributes, input) => adaptiveOutputShape('adaptive_avg_pool', attributes, input),
    (attributes, { shape, layout }) => adaptiveConstants(attributes, shape, layout),
  ),
};
