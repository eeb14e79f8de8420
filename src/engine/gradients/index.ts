/** Clipping of gradients by their global norm: PyTorch's clip_grad_norm_. */
import { Failure } from '../../base/result.ts';
import { alignUp, elements } from '../../base/shape.ts';
import { grid, type PlanBuilder, type Tensor } from '../plan.ts';

/** Gradients that a thread adds up at least, and threads at most: what is left is added up by one workgroup. */
const FEWEST = 64;
const MOST_PARTS = 32768;

/**
 * Scales gradients down, in place, if their Euclidean norm over all parameters is above `largest`. Three dispatches:
 * two that add up squares in a fixed order, one that scales. Gradients that are not finite make all of them NaN or 0.
 * @param gradients of all parameters, flat
 * @throws Failure `bad-input` unless `largest` is a positive number
 */
export function clipGradients(plan: PlanBuilder, gradients: Tensor, largest: number): void {
  if (!(largest > 0 && largest < Infinity)) {
    throw new Failure('bad-input', `expected a norm to clip gradients at above 0, found ${largest}`);
  }
  const count = elements(gradients.shape);
  const parts = Math.min(MOST_PARTS, alignUp(Math.ceil(count / FEWEST), 64));
  const sums = plan.tensor('sums of squares', [parts]);
  const factor = plan.tensor('clipping factor', [1]);
  plan.dispatch({
    label: 'squares of gradients',
    kernel: { shader: 'clip/squares' },
    tensors: { gradients, sums },
    uniforms: { count, parts },
    workgroups: grid(parts, 64),
  });
  plan.dispatch({
    label: 'norm of gradients',
    kernel: { shader: 'clip/norm' },
    tensors: { sums, factor },
    uniforms: { parts, largest },
    workgroups: [1, 1, 1],
  });
  plan.dispatch({
    label: 'clip gradients',
    kernel: { shader: 'clip/scale' },
    tensors: { factor, gradients },
    uniforms: { count },
    workgroups: grid(count, 64),
  });
}
