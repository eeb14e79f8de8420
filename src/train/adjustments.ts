/** Settings that change while a run trains, each written down with the step from which it holds. */
import type { OptimizerSettings } from '../engine/optimizers/optimizer.ts';
import type { StepLiveSettings } from '../run/settings/table.ts';

/** What every step reads. */
export type StepSettings = OptimizerSettings & StepLiveSettings;

export interface Adjustment extends Partial<StepLiveSettings> {
  /** Steps that were done when it was made: the next one is the first with it. */
  step: number;
}

/** A run's settings at the start, and their changes since. */
export type Adjusted = StepSettings & { adjustments?: readonly Adjustment[] };

/** The settings of the step that follows `step` steps. */
export function settingsAt(config: Adjusted, step: number): StepSettings {
  const { adjustments = [] } = config;
  if (adjustments.length === 0) return config;
  const now: StepSettings = { ...config };
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
  changes: Partial<StepLiveSettings>,
): Adjustment[] {
  const [earlier, later] = [true, false].map((before) =>
    adjustments.filter(({ step: from }) => from < step === before),
  );
  return [...earlier, Object.assign({}, ...later, changes, { step }) as Adjustment];
}
