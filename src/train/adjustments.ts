/** Settings that change while a run trains, each recorded with the step from which it applies. */
import type { OptimizerSettings } from '../engine/optimizers/optimizer.ts';
import type { StepLiveSettings } from '../run/settings/table.ts';

/** The settings that every step reads. */
export type StepSettings = OptimizerSettings & StepLiveSettings;

export interface Adjustment extends Partial<StepLiveSettings> {
  /** Steps done when it was made: the next step is the first to use it. */
  step: number;
}

/** A run's settings at the start, and their changes since. */
export type Adjusted = StepSettings & { adjustments?: readonly Adjustment[] };

/** The settings of the next step after `step` steps. */
export function settingsAt(config: Adjusted, step: number): StepSettings {
  const { adjustments = [] } = config;
  if (adjustments.length === 0) return config;
  const now: StepSettings = { ...config };
  for (const { step: from, ...changes } of adjustments) if (from <= step) Object.assign(now, changes);
  return now;
}

/**
 * `adjustments` with `changes` from `step` on. Later ones, from steps that were lost with a device, also apply from
 * `step` on, unless `changes` overrides them.
 */
export function withAdjustment(
  adjustments: readonly Adjustment[],
  step: number,
  changes: Partial<StepLiveSettings>,
): Adjustment[] {
  const [earlier, later] = [true, false].map((before) =>
    adjustments.filter(({ step: from }) => from < step === before),
  );
  return [...earlier, Object.assign({}, ...later, changes, { step }) as Adjustment];
}
