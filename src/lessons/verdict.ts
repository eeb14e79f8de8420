/** What recomputing a submitted run shows. */
import { stepOf, type SubmittedLosses } from './losses.ts';

const TESTED = ['testLoss', 'testAccuracy', 'validationLoss', 'validationAccuracy'] as const;

type TestResults = Partial<Record<(typeof TESTED)[number], number | null | undefined>>;

/** In what it differs: at a step, or somewhere among steps whose losses are not in the file. */
type Differing = 'loss' | 'checksum' | (typeof TESTED)[number];

/**
 * Why it is not checked: it was computed on a GPU, with other images, from another run's weights, or by another version,
 * whose numbers may differ; or something is not here.
 */
type Unchecked = 'gpu' | 'images' | 'start' | 'version' | 'absent';

export type RunVerdict = {
  /** Steps that were computed. */
  steps: number;
} & (
  | {
      how: 'confirmed';
      /** Losses that were compared, at least one: those of all steps if it was computed to its end. */
      compared: number;
    }
  | { how: 'differs'; what: Differing; step: number; there: number | string; here: number | string }
  | { how: 'unchecked'; why: Unchecked; message?: string; there?: string; here?: string }
);

export type RunDifference = Omit<Extract<RunVerdict, { how: 'differs' }>, 'steps'>;

/**
 * The first of the submitted losses that the recomputed ones do not have to the bit; undefined if there is none.
 * @param recomputed shorter where the run broke down
 */
export function lossDifference(
  { every }: Pick<SubmittedLosses, 'every'>,
  steps: number,
  submitted: Float32Array,
  recomputed: Float32Array,
): RunDifference | undefined {
  const i = submitted.findIndex((loss, at) => !Object.is(loss, recomputed[at]));
  if (i < 0) return undefined;
  const step = stepOf(i, every, steps);
  return { how: 'differs', what: 'loss', step, there: submitted[i], here: recomputed[i] ?? NaN };
}

/** Files have null for every number that is not finite. */
const finiteOrNaN = (value: number): number => (Number.isFinite(value) ? value : NaN);

/** The first result of a test that differs; undefined if there is none. */
export function testDifference(
  submitted: TestResults & { step: number },
  recomputed: TestResults = {},
): RunDifference | undefined {
  const { step } = submitted;
  for (const what of TESTED) {
    const [there, here] = [submitted[what], recomputed[what]].map((value) => finiteOrNaN(value ?? NaN));
    if (!Object.is(there, here)) return { how: 'differs', what, step, there, here };
  }
  return undefined;
}
