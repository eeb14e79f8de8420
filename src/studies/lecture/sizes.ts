/** Output sizes by the rules for padding, checked by convolutions. */
import type { PaddingWord } from '../../base/padding.ts';
import { find } from '../../engine/ops/conv/choice/find.ts';
import { convProblem, type ConvProblem } from '../../engine/ops/conv/problem.ts';
import type { Cell, StudyContext } from '../study.ts';
import { requireGoOn } from '../times.ts';

/** Images of well-known layers, and some where an odd number of zeros is needed. */
const CASES = [
  { size: 28, filter: 5, stride: 1, dilation: 1 },
  { size: 28, filter: 3, stride: 1, dilation: 1 },
  { size: 28, filter: 3, stride: 1, dilation: 2 },
  { size: 28, filter: 2, stride: 2, dilation: 1 },
  { size: 32, filter: 3, stride: 2, dilation: 1 },
  { size: 13, filter: 3, stride: 2, dilation: 1 },
  { size: 7, filter: 4, stride: 3, dilation: 1 },
  { size: 224, filter: 7, stride: 2, dilation: 1 },
];
type Case = (typeof CASES)[number];

function problemOf({ size, filter, stride, dilation }: Case, padding: PaddingWord): ConvProblem {
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

export const sizeRows = (): Record<string, Cell>[] =>
  CASES.map((one) => {
    const same = problemOf(one, 'same');
    const { top, bottom } = same.padding;
    return { ...one, valid: problemOf(one, 'valid').P, same: same.P, zeros: `${top} and ${bottom}` };
  });

export async function checkSizes(context: StudyContext): Promise<void> {
  const { device, small, signal, report, undone, progress } = context;
  const rows = sizeRows();
  const checked = small ? 2 : CASES.length;
  for (const [i, one] of CASES.slice(0, checked).entries()) {
    requireGoOn(context);
    progress(0.9 + (0.1 * i) / checked, `Padding, ${one.filter}x${one.filter} on ${one.size}x${one.size}`);
    const words: PaddingWord[] = ['valid', 'same'];
    const right: boolean[] = [];
    for (const word of words) {
      const { tried } = await find(device, problemOf(one, word), 'fprop', {
        signal,
        algorithms: ['direct'],
        most: 1,
        samples: 1,
      });
      right.push(tried.length > 0 && tried.every(({ outcome }) => outcome === 'timed'));
    }
    const isRight = right.every(Boolean);
    if (!isRight) undone(`a convolution of ${one.filter}x${one.filter} on ${one.size}x${one.size} is wrong`);
    report({ figure: 'sizes', cells: { ...rows[i], checked: isRight ? 'yes' : 'no' } });
  }
}
