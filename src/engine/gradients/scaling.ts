/**
 * Loss scaling, for gradients that are stored in 16 bits (Micikevicius et al., "Mixed Precision Training", 2017). Many
 * gradients would underflow, so the loss, and with it every gradient, is multiplied by a scale that the optimiser
 * divides out. The scale is as large as possible: it is halved when gradients overflow, and that step is skipped; it is
 * doubled after a number of steps without overflow. All of this happens on the GPU without a read-back. Scales are
 * powers of two, so scaling rounds nothing. Optimisers count skipped steps too, so Adam's bias corrections are then one
 * step ahead.
 */
import { Failure } from '../../base/result.ts';

export interface LossScaling {
  /** The initial scale, a power of two. */
  initial: number;
  /** Steps without an overflow after which it doubles. */
  patience: number;
}

/** As PyTorch's GradScaler. */
export const USUAL_SCALING: LossScaling = { initial: 2 ** 16, patience: 2000 };

/**
 * If gradients overflow even at this scale, the scale is not the cause: the step is taken, and the divergence guard
 * sees it.
 */
export const MIN_SCALE = 1;
/** Gradients that underflow even at this scale do not matter. */
export const MAX_SCALE = 2 ** 24;

/** @throws Failure `bad-input` */
export function checkScaling({ initial, patience }: LossScaling): void {
  if (!(initial >= MIN_SCALE && initial < 2 ** 127 && Number.isInteger(Math.log2(initial)))) {
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
