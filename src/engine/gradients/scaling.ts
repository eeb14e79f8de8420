/**
 * Scaling of the loss, for gradients that are stored in 16 bits (Micikevicius et al., "Mixed Precision Training", 2017):
 * many are too small for them, and are kept by multiplying the loss, and so all gradients, by a scale that the optimiser
 * takes out again. It is as large as gradients allow: halved when they overflow, and that step is left out; doubled after
 * so many steps without that. All of this happens on the GPU, which nobody waits for. Scales are powers of two, so
 * scaling rounds nothing. Optimisers count a step that was left out: Adam's corrections are a step ahead then.
 */
import { Failure } from '../../base/result.ts';

export interface LossScaling {
  /** The scale to begin with, a power of two. */
  initial: number;
  /** Steps without an overflow after which it doubles. */
  patience: number;
}

/** As PyTorch's GradScaler. */
export const USUAL_SCALING: LossScaling = { initial: 2 ** 16, patience: 2000 };

/** Where gradients overflow without a scale, it is not the scale that is wrong: the step is taken, and guards see it. */
export const LEAST_SCALE = 1;
/** Gradients that are still too small are of no use. */
export const MOST_SCALE = 2 ** 24;

/** @throws Failure `bad-input` */
export function checkScaling({ initial, patience }: LossScaling): void {
  if (!(initial >= LEAST_SCALE && initial < 2 ** 127 && Number.isInteger(Math.log2(initial)))) {
    throw new Failure(
      'bad-input',
      `expected a loss scale of 1, 2, 4 or another power of two, found ${initial}`,
    );
  }
  if (!Number.isSafeInteger(patience) || patience < 1 || patience > 2 ** 24) {
    throw new Failure(
      'bad-input',
      `expected a whole number of steps until the loss scale doubles, found ${patience}`,
    );
  }
}
