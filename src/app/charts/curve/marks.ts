/** The settings changed during the run, as marks of its curves. */
import { changesInWords } from '../../../run/settings/adjustments.ts';
import type { LiveAdjustments } from '../../metrics/live.ts';

/** One mark for all that was changed at a step. */
export function marksOf(adjusted: LiveAdjustments | undefined): { step: number; words: string }[] {
  const marks = new Map<number, string[]>();
  for (const { step, what, after } of adjusted ? changesInWords(adjusted) : [])
    marks.set(step, [...(marks.get(step) ?? []), `${what} ${after}`]);
  return [...marks].map(([step, words]) => ({ step, words: words.join(', ') }));
}
