/** Changes of a run's settings while it is open, each with the step from which it applies. */
import { LIVE_KEYS, type LiveSettings } from './table.ts';
import { inSentence, textOf } from './text.ts';

export type Adjustment = {
  /** Steps done when it was made: the next step is the first to use it. */
  step: number;
} & {
  /** null turns one off that can be, since JSON has no undefined. */
  [K in keyof LiveSettings]?: LiveSettings[K] | (undefined extends LiveSettings[K] ? null : never);
};

/** What a run's settings at any step follow from: those that it began with, and their changes since. */
export interface Changes {
  start: LiveSettings;
  adjustments: readonly Adjustment[];
}

/** Of a run's configuration. */
export const changesOf = (
  config: LiveSettings & { adjustments?: readonly Adjustment[] },
  adjustments = config.adjustments ?? [],
): Changes => ({
  start: Object.fromEntries(LIVE_KEYS.map((key) => [key, config[key]])) as unknown as LiveSettings,
  adjustments,
});

/** The settings of the next step after `step` steps, of a run that began with `settings`. */
export function settingsAt<S extends Partial<LiveSettings>>(
  settings: S,
  adjustments: readonly Adjustment[] = [],
  step = Infinity,
): S {
  if (adjustments.length === 0) return settings;
  const now: Record<string, unknown> = { ...settings };
  for (const { step: from, ...changes } of adjustments)
    if (from <= step) for (const [key, value] of Object.entries(changes)) now[key] = value ?? undefined;
  return now as S;
}

/**
 * `adjustments` with `changes` from `step` on. Later ones, from steps that were lost with a device, also apply from
 * `step` on, unless `changes` overrides them.
 */
export function withAdjustment(
  adjustments: readonly Adjustment[],
  step: number,
  changes: Partial<LiveSettings>,
): Adjustment[] {
  const [earlier, later] = [true, false].map((before) =>
    adjustments.filter(({ step: from }) => from < step === before),
  );
  const made = Object.fromEntries(Object.entries(changes).map(([key, value]) => [key, value ?? null]));
  return [...earlier, Object.assign({}, ...later, made, { step }) as Adjustment];
}

/** Those that acted on one of a run's first `steps` steps: a change after the last step belongs to what comes next. */
export const actedOn = (adjustments: readonly Adjustment[], steps: number): Adjustment[] =>
  adjustments.filter(({ step }) => step < steps);

export interface SettingChange {
  /** Steps that were done. */
  step: number;
  what: string;
  before: string;
  after: string;
}

/** "after step 300, learning rate 0.001 → 0.01" */
export const changeText = ({ step, what, before, after }: SettingChange): string =>
  `after step ${step}, ${what} ${before} → ${after}`;

/** One change a setting, in order; what was set to what it was is none. */
export function changesInWords({ start, adjustments }: Changes): SettingChange[] {
  let now = start;
  return adjustments.flatMap((change) => {
    const { step } = change;
    const before = now;
    now = settingsAt(now, [change]);
    return LIVE_KEYS.flatMap((key): SettingChange[] => {
      const [old, set] = [before, now].map((one) => textOf(key, one[key], 'page'));
      return set === old ? [] : [{ step, what: inSentence(key), before: old, after: set }];
    });
  });
}
