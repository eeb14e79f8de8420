/** Settings that change while a run trains, each written down with the step from which it holds. */
import { NO_AUGMENTATION, type Augmentation } from '../base/augmentation.ts';
import type { OptimizerSettings } from '../engine/optimizers/optimizer.ts';

/** What every step reads anew. */
export interface StepSettings extends OptimizerSettings {
  /** How images are varied, all of it. */
  augmentation: Augmentation;
}

/** What of it can change between two steps. */
export type Adjustable = Pick<StepSettings, 'lr' | 'momentum' | 'weightDecay' | 'augmentation'>;

export interface Adjustment extends Partial<Adjustable> {
  /** Steps that were done when it was made: the next one is the first with it. */
  step: number;
}

/** What a run began with, and what changed since. */
export interface Adjusted {
  settings: OptimizerSettings;
  augmentation?: Augmentation;
  adjustments?: readonly Adjustment[];
}

/** The settings of the step that follows `step` steps. */
export function settingsAt(
  { settings, augmentation = NO_AUGMENTATION, adjustments = [] }: Adjusted,
  step: number,
): StepSettings {
  const now = { ...settings, augmentation };
  for (const { step: from, ...changes } of adjustments) if (from <= step) Object.assign(now, changes);
  return now;
}

/**
 * `adjustments` with `changes` from `step` on. Later ones, of steps that were lost with a device, hold from `step` on
 * too, where `changes` does not say otherwise.
 */
export function withAdjustment(
  adjustments: readonly Adjustment[],
  step: number,
  changes: Partial<Adjustable>,
): Adjustment[] {
  const [earlier, later] = [true, false].map((before) =>
    adjustments.filter(({ step: from }) => from < step === before),
  );
  return [...earlier, Object.assign({}, ...later, changes, { step }) as Adjustment];
}
