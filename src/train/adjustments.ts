/** Settings that change while a run trains, each written down with the step from which it holds. */
import type { OptimizerSettings } from '../engine/optimizers/optimizer.ts';

/** What every step reads anew, so that it can change between two of them. */
export type Adjustable = Pick<OptimizerSettings, 'lr' | 'momentum' | 'weightDecay'>;

export const ADJUSTABLE = ['lr', 'momentum', 'weightDecay'] as const satisfies readonly (keyof Adjustable)[];

export interface Adjustment extends Partial<Adjustable> {
  /** Steps that were done when it was made: the next one is the first with it. */
  step: number;
}

/** The settings of the step that follows `step` steps. */
export function settingsAt(
  settings: OptimizerSettings,
  adjustments: readonly Adjustment[],
  step: number,
): OptimizerSettings {
  const now = { ...settings };
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
