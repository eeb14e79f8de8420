import { elements } from '../../../base/shape.ts';
import type { Op } from '../../op.ts';
import { grid } from '../../plan.ts';
import { poolConstants, poolOutputShape, poolProblem, type Pair, type PoolAttributes } from '../pooling.ts';

export interface MaxPoolAttributes extends PoolAttributes {
  /** Default 1. */
  dilation?: Pair;
}

/** The largest of each window, as PyTorch's nn.MaxPool2d. Backward gathers, so its sums have a fixed order. */
const maxPool: Op<MaxPoolAttributes> = {
  name: 'max_pool',

  outputShape: (attributes, input) => poolOutputShape(poolProblem('max_pool', attributes, input)),

  forward(plan, { label, attributes, input, output, saved }) {
    const problem = poolProblem('max_pool', attributes, input.shape);
    const count = elements(output.shape);
    saved.argmax = plan.tensor(`${label} argmax`, output.shape);
    plan.dispatch({
      label,
      kernel: { shader: 'max_pool/forward', constants: poolConstants(problem) },
      tensors: { x: input, y: output, argmax: saved.argmax },
      uniforms: { count },
      workgroups: grid(count, 64),
    });
  },

  backward(plan, { label, attributes, input, saved, outputGradient, inputGradient, maskInput }) {
    if (!inputGradient) return;
    const problem = poolProblem('max_pool', attributes, input.shape);
    const count = elements(input.shape);
    plan.dispatch({
      label: `${label} backward`,
      kernel: { shader: 'max_pool/backward', constants: { ...poolConstants(problem), MASK: maskInput } },
      tensors: {
        dy: outputGradient,
        argmax: saved.argmax,
        // Unread without a mask; naming the input would keep it in memory for nothing.
        x: maskInput ? input : outputGradient,
        dx: inputGradient,
      },
      uniforms: { count },
      workgroups: grid(count, 64),
    });
  },
};

export default maxPool;
