/** What was changed on the way, for people. */
import { NO_AUGMENTATION, showAugmentation } from '../../../base/augmentation.ts';
import type { Adjusted } from '../../metrics/live.ts';

type Settings = Partial<Adjusted['start']>;

/** How each setting is called, and what it is, in words. */
const SETTINGS: readonly { what: string; of(settings: Settings): string | undefined }[] = [
  { what: 'learning rate', of: ({ lr }) => lr?.toString() },
  { what: 'momentum', of: ({ momentum }) => momentum?.toString() },
  { what: 'weight decay', of: ({ weightDecay }) => weightDecay?.toString() },
  { what: 'images varied by', of: ({ augmentation }) => augmentation && showAugmentation(augmentation) },
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

export const marksOf = (adjusted: Adjusted | undefined): { step: number; words: string }[] =>
  adjusted ? changesOf(adjusted).map(({ step, what, after }) => ({ step, words: `${what} ${after}` })) : [];
