import { elements } from '../../../base/shape.ts';
import { elementGrid, type PlanBuilder, type Tensor } from '../../plan.ts';

/** Adds to `plan`: dx = dy where `y`, which a ReLU put out, is positive, else 0. */
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
