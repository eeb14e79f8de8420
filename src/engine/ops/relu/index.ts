import { elements } from '../../../base/shape.ts';
import type { Op } from '../../op.ts';
import { elementGrid, type PlanBuilder, type Tensor } from '../../plan.ts';

/**
 * y = max(x, 0), for inputs of any shape; used only if the op before it does not fuse it. A ReLU after a ReLU changes
 * nothing, so a masked input needs no special case.
 */
const relu: Op<object> = {
  name: 'relu',
  title: 'ReLU',
  channelsLast: true,

  outputShape: (_, input) => input,

  forward(plan, { label, input, output }) {
    const count = elements(input.shape);
    plan.dispatch({
      label,
      kernel: { shader: 'relu/forward', constants: { Number: input.type } },
      tensors: { x: input, y: output },
      uniforms: { count },
      workgroups: elementGrid(count),
    });
  },

  backward(plan, { label, output, outputGradient, inputGradient }) {
    if (!inputGradient) return;
    planMask(plan, `${label} backward`, output, outputGradient, inputGradient);
  },
};

export default relu;

/** Adds to `plan`: dx = dy where `y`, the output of a ReLU, is positive, else 0. */
export function planMask(plan: PlanBuilder, label: string, y: Tensor, dy: Tensor, dx: Tensor): void {
  const count = elements(y.shape);
  plan.dispatch({
    label,
    kernel: { shader: 'relu/backward', constants: { Number: dy.type } },
    tensors: { y, dy, dx },
    uniforms: { count },
    workgroups: elementGrid(count),
  });
}
