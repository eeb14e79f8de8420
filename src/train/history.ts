/** What a run remembers of its way: what a report of the epoch under way and the rules that end a run need. */
export interface History {
  /** Of the epoch under way: the sum of its steps' losses, and how many they are. */
  epoch: { loss: number; steps: number };
  /** Of the last step. */
  loss?: number;
  /** One an epoch, in order. */
  evaluations: readonly EpochReport[];
  /** The step of an epoch's end whose evaluation was cut short: it is owed. */
  due?: number;
}

/** What a whole epoch came to. */
export interface EpochReport {
  step: number;
  epoch: number;
  /** Mean over the epoch's steps, each before it. */
  trainLoss: number;
  /** On the test set: mean loss, and accuracy from 0 to 1. */
  loss: number;
  accuracy: number;
  /** classes x classes counts, row is the true class; absent where later ones needed the room. */
  confusion?: Uint32Array;
}

/** Counts in the confusions of all reports together: 1 MB in every copy that is kept. */
const MOST_COUNTS = 2 ** 18;

/** The reports with one more. Where confusions are too many, every second one is let go; the newest stays. */
export function withReport(reports: readonly EpochReport[], report: EpochReport): EpochReport[] {
  const all = [...reports, report];
  const whole = all.filter(({ confusion }) => confusion);
  const counts = whole.reduce((sum, { confusion }) => sum + (confusion?.length ?? 0), 0);
  if (counts <= MOST_COUNTS) return all;
  const kept = new Set(whole.filter((_, i) => (whole.length - 1 - i) % 2 === 0));
  return all.map(({ confusion, ...rest }, i) =>
    kept.has(all[i]) && confusion ? { ...rest, confusion } : rest,
  );
}

export const newHistory = (): History => ({ epoch: { loss: 0, steps: 0 }, evaluations: [] });
