/** What computing a handed-in run again shows. */
import { stepOf } from './losses.ts';

/** In what it differs: at a step, or somewhere among steps whose losses are not in the file. */
export type Differing =
  | 'loss'
  | 'checksum'
  | 'testLoss'
  | 'testAccuracy'
  | 'validationLoss'
  | 'validationAccuracy';

/**
 * Why it cannot be checked: other images; it started from another run's weights; another version, whose numbers may
 * differ; or something is not here.
 */
export type Unchecked = 'images' | 'start' | 'version' | 'absent';

export type RunVerdict = {
  /** Steps that were computed. */
  steps: number;
} & (
  | { how: 'confirmed' }
  | { how: 'agrees' }
  | { how: 'differs'; what: Differing; step: number; there: number | string; here: number | string }
  | { how: 'unchecked'; why: Unchecked; message?: string; there?: string; here?: string }
);

/**
 * How far a run on a GPU may be from the same run on the CPU engine. A GPU adds in another order, which changes last bits;
 * training amplifies them, so that single losses drift apart, while what is learnt stays the same. docs/lessons.md says
 * how these were chosen.
 */
export const AGREEMENT = {
  /** Of the first steps, each loss: relative or, below 1, absolute. */
  firstSteps: 25,
  firstLoss: 1e-4,
  /** From there on the median of each stretch of so many losses. */
  stretch: 25,
  median: 0.15,
  /** Nothing is compared from the step on whose loss is so many times that of the first, or not finite. */
  broken: 2,
  /** Of the last test. */
  testLoss: 0.1,
  accuracy: 0.04,
} as const;

const isNear = (there: number, here: number, bound: number): boolean =>
  Object.is(there, here) || Math.abs(there - here) <= bound * Math.max(1, Math.abs(here));

const medianOf = (values: Float32Array): number => values.toSorted()[values.length >> 1];

/** The first loss that differs; undefined if none does. Of equal length. */
export function firstDifference(
  engine: 'cpu' | 'gpu',
  there: Float32Array,
  here: Float32Array,
  { every, steps }: { every: number; steps: number },
): Extract<RunVerdict, { how: 'differs' }> | undefined {
  const differs = (index: number, a: number, b: number) => {
    const step = stepOf(index, every, steps);
    return { how: 'differs', what: 'loss', step, there: a, here: b, steps } as const;
  };
  // Where training breaks down, each step multiplies what rounding did in the one before.
  const broken = here.findIndex((loss) => !(loss <= AGREEMENT.broken * Math.max(1, here[0])));
  const compared = engine === 'cpu' || broken < 0 ? there.length : broken;
  const isFirst = (i: number) => stepOf(i, every, steps) <= AGREEMENT.firstSteps;
  for (let i = 0; i < compared; i++) {
    const [a, b] = [there[i], here[i]];
    const fits = engine === 'cpu' ? Object.is(a, b) : !isFirst(i) || isNear(a, b, AGREEMENT.firstLoss);
    if (!fits) return differs(i, a, b);
  }
  if (engine === 'cpu') return undefined;
  for (let i = 0; i < compared; i += AGREEMENT.stretch) {
    const end = Math.min(compared, i + AGREEMENT.stretch);
    const [a, b] = [there, here].map((losses) => medianOf(losses.subarray(i, end)));
    if (!isNear(a, b, AGREEMENT.median)) return differs(i, a, b);
  }
  return undefined;
}

/** Whether a result of a test is the same, or near enough. */
export const fitsTest = (engine: 'cpu' | 'gpu', what: Differing, there: number, here: number): boolean =>
  engine === 'cpu'
    ? Object.is(there, here)
    : isNear(there, here, what.endsWith('Accuracy') ? AGREEMENT.accuracy : AGREEMENT.testLoss);
