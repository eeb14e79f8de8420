/** The gradients' Euclidean norm over all parameters that are trained, before any clipping. */
import { sumsOfSquares } from '../gradients/index.ts';
import { sumThreads } from '../shared-sum.ts';
import type { Measure } from './measure.ts';

export default {
  name: 'gradientNorm',
  columns: () => ['gradientNorm'],
  // Reads the loss scale before the scaling of gradients changes it.
  plan(plan, { gradients, scaling, blocks, values }) {
    const { sums, parts } = sumsOfSquares(plan, gradients, blocks);
    plan.dispatch({
      label: 'norm of gradients',
      kernel: {
        shader: 'gradients/norm',
        constants: { SCALED: scaling !== undefined, THREADS: sumThreads(plan.device) },
      },
      tensors: { sums, scaling: scaling ?? plan.tensor('no scaling of the norm', [2]), norms: values },
      uniforms: { parts },
      workgroups: [1, 1, 1],
    });
    return undefined;
  },
} satisfies Measure;
