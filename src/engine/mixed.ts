/**
 * Mixed precision (Micikevicius et al., "Mixed Precision Training", 2017): activations, their gradients, and the
 * weights that multiply them are stored in 16 bits, which halves the memory that a step reads and writes. All
 * arithmetic uses 32 bits. The optimiser's parameters and their gradients have 32 bits too; each step starts by copying
 * the weights to 16 bits. The loss is scaled to keep small gradients from underflow. Evaluations and predictions are
 * computed in 32 bits.
 */
import { Failure } from '../base/result.ts';
import type { Device } from '../gpu/device.ts';
import { checkScaling, USUAL_SCALING, type LossScaling } from './gradients/scaling.ts';
import type { NumberType } from './plan.ts';

export interface MixedPrecision {
  /** The type of stored activations. f32 tests everything except the 16 bits. */
  number: NumberType;
  scaling: LossScaling;
}

export const USUAL_MIXED: MixedPrecision = { number: 'f16', scaling: USUAL_SCALING };

/** @throws Failure if the device lacks the feature (`unsupported`) or the scaling is invalid (`bad-input`) */
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
