/**
 * Mixed precision (Micikevicius et al., "Mixed Precision Training", 2017): activations, its gradient, and the
 * weights that either is multiplied with are stored in 16 bits, which halves the memory that a step reads and writes. Sums
 * and everything else that is computed have 32 bits; so have the parameters that the optimiser changes, of which a copy
 * in 16 bits is made at the beginning of each step, and their gradients. The loss is scaled, so that small gradients are
 * not lost. Evaluations and answers are computed in 32 bits.
 */
import { Failure } from '../base/result.ts';
import type { Device } from '../gpu/device.ts';
import { checkScaling, USUAL_SCALING, type LossScaling } from './gradients/scaling.ts';
import type { NumberType } from './plan.ts';

export interface MixedPrecision {
  /** What activations are stored in. f32 tests all of it but the 16 bits. */
  number: NumberType;
  scaling: LossScaling;
}

export const USUAL_MIXED: MixedPrecision = { number: 'f16', scaling: USUAL_SCALING };

/** @throws Failure if the device cannot do it (`unsupported`) or the scaling makes no sense (`bad-input`) */
export function requireMixed(device: Device, { number, scaling }: MixedPrecision): void {
  checkScaling(scaling);
  if (number === 'f16' && !device.raw.features.has('shader-f16')) {
    throw new Failure(
      'unsupported',
      `Mixed precision needs 16-bit floats in shaders (the feature shader-f16). ${device.adapter.description}, its driver or the browser does not support them.`,
      'Train in single precision.',
    );
  }
}
