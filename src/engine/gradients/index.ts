/**
 * What happens to gradients before the optimiser reads them: clipping by their global norm, as PyTorch's
 * clip_grad_norm_, and removing the loss scale. The optimiser multiplies each gradient by the factor computed here.
 */
import { Failure } from '../../base/result.ts';
import { elements } from '../../base/shape.ts';
import { wgslVectorType } from '../dispatch.ts';
import { blockConstants, noBlocks } from '../optimizers/update.ts';
import { grid, type PlanBuilder, type Tensor } from '../plan.ts';
import { sumThreads } from '../shared-sum.ts';
import { MIN_SCALE, MAX_SCALE } from './scaling.ts';

/** Least gradients per sum, and most sums, which one workgroup adds up: of workgroups on GPUs, of threads on processors. */
const FEWEST = { gpu: 4096, processor: 64 };
const MAX_PARTS = 1024;
/** Threads per workgroup if each has its own sum. */
const OWN_THREADS = 64;

export interface FactorOptions {
  /** Gradients with a larger Euclidean norm, over all parameters, are scaled down to it. */
  clipNorm?: number | undefined;
  /** The loss scale and the steps since it changed, if the loss is scaled; see scaling.ts. */
  scaling?: Tensor | undefined;
  /** Steps after which the scale doubles. */
  patience?: number | undefined;
  /** Which parameters are trained; other gradients do not count. See `blockTable`. Absent: all. */
  blocks?: Tensor | undefined;
}

/**
 * Adds two dispatches that add up squares in a fixed order.
 * @param gradients of all parameters, flat
 * @returns [1, 4], a vec4f: the factor for each gradient, 0 to skip the step; undefined if gradients are used unchanged
 * @throws Failure `bad-input` unless the norm is a positive number
 */
export function gradientFactors(
  plan: PlanBuilder,
  gradients: Tensor,
  { clipNorm, scaling, patience = 0, blocks }: FactorOptions,
): Tensor | undefined {
  if (clipNorm === undefined && !scaling) return undefined;
  if (clipNorm !== undefined && !(clipNorm > 0 && clipNorm < Infinity)) {
    throw new Failure('bad-input', `expected a gradient clipping norm above 0, found ${clipNorm}`);
  }
  const { sums, parts } = sumsOfSquares(plan, gradients, blocks);
  const factors = plan.tensor('factors of gradients', [1, 4]);
  plan.dispatch({
    label: 'factors of gradients',
    kernel: {
      shader: 'gradients/factors',
      constants: {
        CLIPPED: clipNorm !== undefined,
        SCALED: scaling !== undefined,
        THREADS: sumThreads(plan.device),
      },
    },
    tensors: { sums, scaling: scaling ?? plan.tensor('no scaling', [2]), factors },
    uniforms: { parts, largest: clipNorm ?? 0, patience, least: MIN_SCALE, most: MAX_SCALE },
    workgroups: [1, 1, 1],
  });
  return factors;
}

/** Adds the first pass over all gradients: partial sums of their squares. @param blocks see FactorOptions */
export function sumsOfSquares(
  plan: PlanBuilder,
  gradients: Tensor,
  blocks: Tensor | undefined,
): { sums: Tensor; parts: number } {
  const count = elements(gradients.shape);
  const shared = !plan.device.onProcessor;
  const fewest = shared ? FEWEST.gpu : FEWEST.processor;
  const parts = Math.min(MAX_PARTS, Math.ceil(count / fewest));
  const sums = plan.tensor('sums of squares', [parts]);
  const vec4 = count % 4 === 0;
  plan.dispatch({
    label: 'squares of gradients',
    kernel: {
      shader: 'gradients/squares',
      constants: {
        ...blockConstants(blocks),
        VEC4: vec4,
        Piece: wgslVectorType('f32', vec4),
        SHARED: shared,
        THREADS: shared ? sumThreads(plan.device) : OWN_THREADS,
      },
    },
    tensors: { gradients, sums, blocks: blocks ?? noBlocks(plan) },
    uniforms: { pieces: vec4 ? count / 4 : count, parts },
    workgroups: grid(parts, shared ? 1 : OWN_THREADS),
  });
  return { sums, parts };
}
