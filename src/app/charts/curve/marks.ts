/** What was changed on the way, for people. */
import { NO_AUGMENTATION, showAugmentation } from '../../../base/augmentation.ts';
import type { Adjusted } from '../../metrics/live.ts';

type Settings = Partial<Adjusted['start']>;

/** How each setting is called, and what it is, in words. */
const SETTINGS: readonly { what: string; of(settings: Settings): string | undefined }[] = [
  { what: 'learning rate', of: ({ lr }) => lr?.toString() },
  { what: 'momentum', of: ({ momentum }) => momentum?.toString() },
  { what: 'weight decay', of: ({ weightDecay }) => weightDecay?.toString() },
  { what: 'variation', of: ({ augmentation }) => augmentation && showAugmentation(augmentation) },
];

export interface Change {
  /** Steps that were done. */
  step: number;
  what: string;
  before: string;
  after: string;
}

/** One change a setting, in order; what was set to what it was is none. */
export function changesOf({ start, adjustments }: Adjusted): Change[] {
  let now: Settings = { augmentation: NO_AUGMENTATION, ...start };
  return adjustments.flatMap(({ step, ...changes }) => {
    const before = now;
    now = { ...now, ...changes };
    return SETTINGS.flatMap(({ what, of }): Change[] => {
      const [old, set] = [of(before), of(changes)];
      return old === undefined || set === undefined || set === old
        ? []
        : [{ step, what, before: old, after: set }];
    });
  });
}

/** One mark for all that was changed at a step. */
export function marksOf(adjusted: Adjusted | undefined): { step: number; words: string }[] {
  const marks = new Map<number, string[]>();
  for (const { step, what, after } of adjusted ? changesOf(adjusted) : [])
    marks.set(step, [...(marks.get(step) ?? []), `${what} ${after}`]);
  return [...marks].map(([step, words]) => ({ step, words: words.join(', ') }));
}
