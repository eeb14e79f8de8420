/** What was changed on the way, for people. */
import type { Adjusted } from '../../metrics/live.ts';

const NAMES = { lr: 'learning rate', momentum: 'momentum', weightDecay: 'weight decay' } as const;
type Name = keyof typeof NAMES;

export interface Change {
  /** Steps that were done. */
  step: number;
  what: string;
  before: number;
  after: number;
}

/** One change a setting, in order; what was set to what it was is none. */
export function changesOf({ start, adjustments }: Adjusted): Change[] {
  const now = { ...start };
  return adjustments.flatMap(({ step, ...changes }) =>
    (Object.keys(NAMES) as Name[]).flatMap((name): Change[] => {
      const [before, after] = [now[name], changes[name]];
      if (after === undefined || after === before) return [];
      now[name] = after;
      return [{ step, what: NAMES[name], before, after }];
    }),
  );
}

export const marksOf = (adjusted: Adjusted | undefined): { step: number; words: string }[] =>
  adjusted ? changesOf(adjusted).map(({ step, what, after }) => ({ step, words: `${what} ${after}` })) : [];
