/** Output sizes by the rules for padding, checked by convolutions. */
import type { PaddingSetting } from '../../base/padding.ts';
import { find } from '../../engine/ops/conv/choice/find.ts';
import { convProblem, type ConvProblem } from '../../engine/ops/conv/problem.ts';
import type { Cell, StudyContext } from '../study.ts';
import { requireGoOn } from '../times.ts';
import { PRINTED } from './published.ts';

interface LectureCase {
  size: number;
  filter: number;
  stride: number;
  dilation: number;
  /** Explicit, on each side. */
  padding: number;
}

const exercise = (stride: string): LectureCase => ({
  size: Number(PRINTED.size.value),
  filter: Number(PRINTED.filter.value),
  stride: Number(stride),
  dilation: 1,
  padding: Number(PRINTED.padding.value),
});

/** The lecture's exercises. */
const EXERCISES = [exercise(PRINTED.stride.value), exercise(PRINTED.otherStride.value)];

/** These, images of well-known layers, and some where an odd number of zeros is needed. */
const CASES: readonly LectureCase[] = [
  ...EXERCISES,
  { size: 28, filter: 3, stride: 1, dilation: 1, padding: 1 },
  { size: 28, filter: 3, stride: 1, dilation: 2, padding: 2 },
  { size: 28, filter: 2, stride: 2, dilation: 1, padding: 1 },
  { size: 32, filter: 3, stride: 2, dilation: 1, padding: 1 },
  { size: 13, filter: 3, stride: 2, dilation: 1, padding: 1 },
  { size: 7, filter: 4, stride: 3, dilation: 1, padding: 1 },
  { size: 224, filter: 7, stride: 2, dilation: 1, padding: 3 },
];

function problemOf({ size, filter, stride, dilation }: LectureCase, padding: PaddingSetting): ConvProblem {
  return convProblem({
    N: 1,
    C: 1,
    H: size,
    W: size,
    K: 1,
    R: filter,
    S: filter,
    stride: [stride, stride],
    dilation: [dilation, dilation],
    padding,
  });
}

const explicit = ({ padding }: LectureCase): PaddingSetting => [padding, padding];

/** Steps that the filter takes, whole or not. */
const steps = ({ size, filter, stride, padding }: LectureCase): number =>
  (size + 2 * padding - filter) / stride;

/** The exercises, answered by the usual formula and by the one that the lecture gives for TensorFlow. */
export const exerciseRows = (): Record<string, Cell>[] =>
  EXERCISES.map((one) => {
    const { size, filter, padding, stride } = one;
    const [floor, ceiling] = [Math.floor(steps(one)) + 1, Math.ceil(steps(one)) + 1];
    return { size, filter, padding, stride, floor, ceiling };
  });

export const sizeRows = (): Record<string, Cell>[] =>
  CASES.map((one) => {
    const same = problemOf(one, 'same');
    const { top, bottom } = same.padding;
    return {
      ...one,
      explicit: problemOf(one, explicit(one)).P,
      valid: problemOf(one, 'valid').P,
      same: same.P,
      zeros: `${top} and ${bottom}`,
    };
  });

export async function checkSizes(context: StudyContext): Promise<void> {
  const { small, report, undone, progress } = context;
  const rows = sizeRows();
  const checked = small ? EXERCISES.length : CASES.length;
  for (const [i, one] of CASES.slice(0, checked).entries()) {
    requireGoOn(context);
    progress(0.9 + (0.1 * i) / checked, `Padding, ${one.filter}x${one.filter} on ${one.size}x${one.size}`);
    const right: boolean[] = [];
    for (const padding of [explicit(one), 'valid', 'same'] as const)
      right.push(await isRight(context, problemOf(one, padding)));
    if (!right.every(Boolean))
      undone(`a convolution of ${one.filter}x${one.filter} on ${one.size}x${one.size} is wrong`);
    if (i < EXERCISES.length) {
      const { P } = problemOf(one, explicit(one));
      report({ figure: 'exercise', cells: { ...exerciseRows()[i], output: P, checked: yesOrNo(right[0]) } });
    }
    report({ figure: 'sizes', cells: { ...rows[i], checked: yesOrNo(right.every(Boolean)) } });
  }
}

export const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no');

/** Whether the convolution has the values, and as many of them, as in float64. */
async function isRight({ device, signal }: StudyContext, problem: ConvProblem): Promise<boolean> {
  const { tried } = await find(device, problem, 'fprop', {
    signal,
    algorithms: ['direct'],
    most: 1,
    samples: 1,
  });
  return tried.length > 0 && tried.every(({ outcome }) => outcome === 'timed');
}
