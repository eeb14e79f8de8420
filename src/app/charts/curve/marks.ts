/** The settings changed during the run, in words. */
import { SETTING_KEYS, settingOf } from '../../../run/settings/table.ts';
import { inSentence, textOf } from '../../../run/settings/text.ts';
import type { LiveAdjustments } from '../../metrics/live.ts';

const KEYS = SETTING_KEYS.filter(
  (key) => settingOf(key).live === 'step',
) as (keyof LiveAdjustments['start'])[];

export interface SettingChange {
  /** Steps that were done. */
  step: number;
  what: string;
  before: string;
  after: string;
}

/** One change a setting, in order; what was set to what it was is none. */
export function changesOf({ start, adjustments }: LiveAdjustments): SettingChange[] {
  let now = start;
  return adjustments.flatMap(({ step, ...changes }) => {
    const before = now;
    now = { ...now, ...changes };
    return KEYS.flatMap((key): SettingChange[] => {
      const [old, set] = [before, now].map((one) => textOf(key, one[key], 'page'));
      return set === old ? [] : [{ step, what: inSentence(key), before: old, after: set }];
    });
  });
}

/** One mark for all that was changed at a step. */
export function marksOf(adjusted: LiveAdjustments | undefined): { step: number; words: string }[] {
  const marks = new Map<number, string[]>();
  for (const { step, what, after } of adjusted ? changesOf(adjusted) : [])
    marks.set(step, [...(marks.get(step) ?? []), `${what} ${after}`]);
  return [...marks].map(([step, words]) => ({ step, words: words.join(', ') }));
}
