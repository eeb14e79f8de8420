import { elements, type Shape } from '../../../base/shape.ts';
import type { Op } from '../../op.ts';
import { grid } from '../../plan.ts';
import { poolConstants, poolOutputShape, poolProblem, type PoolAttributes } from '../pooling.ts';

export interface AvgPoolAttributes extends PoolAttributes {
  /** Whether the zeros of the padding count in the average. Default true. */
  countIncludePad?: boolean;
}

/** Windows without dilation, which PyTorch's average pooling does not have either. */
const problemOf = ({ kernelSize, stride, padding }: AvgPoolAttributes, input: Shape) =>
  poolProblem('avg_pool', { kernelSize, stride, padding }, input);

const constants = (attributes: AvgPoolAttributes, input: Shape) => ({
  ...poolConstants(problemOf(attributes, input)),
  COUNT_PADDING: attributes.countIncludePad ?? true,
});

/** The mean of each window, as PyTorch's nn.AvgPool2d. Backward gathers, so its sums have a fixed order. */
const avgPool: Op<AvgPoolAttributes> = {
  name: 'avg_pool',

  outputShape: (attributes, input) => poolOutputShape(problemOf(attributes, input)),

  forward(plan, { label, attributes, input, output }) {
    const count = elements(output.shape);
    plan.dispatch({
      label,
      kernel: { shader: 'avg_pool/forward', constants: constants(attributes, input.shape) },
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
        shader: 'avg_pool/backward',
        constants: { ...constants(attributes, input.shape), MASK: maskInput },
      },
      tensors: {
        dy: outputGradient,
        // Unread without a mask; naming the input would keep it in memory for nothing.
        x: maskInput ? input : outputGradient,
        dx: inputGradient,
      },
      uniforms: { count },
      workgroups: grid(count, 64),
    });
  },
};

export default avgPool;
