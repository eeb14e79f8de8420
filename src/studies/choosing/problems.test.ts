import { expect, test } from 'vitest';
import type { ConvChoices } from '../../engine/ops/conv/choice/layers.ts';
import type { Line, RowLine, StudyContext } from '../study.ts';
import study from './index.ts';
import { reportRules, squares } from './problems.ts';
import { sharesOf } from './profile.ts';

const contextOn = (onProcessor: boolean, small = false) =>
  ({ device: { onProcessor }, small }) as unknown as StudyContext;

test('as many problems as the study says, in every number of images', () => {
  const [single, half] = (['f32', 'f16'] as const).map((number) => squares(contextOn(false), number));
  expect(study.sizes.full).toMatch(
    new RegExp(`^${single.length} convolutions .* \\(${half.length} in float16\\)`),
  );
  for (const filter of [1, 3, 5])
    expect(new Set(single.filter((one) => one.filter === filter).map(({ images }) => images))).toEqual(
      new Set([1, 16, 64, 128]),
    );
  expect(squares(contextOn(true, true), 'f32')).toHaveLength(4);
});

/** GEMM takes 1, Winograd 2 and FFT 4 ms; the prediction 1.5. */
const row = (images: number, side: number, wins: string, filter = 5): RowLine => ({
  figure: 'problems',
  cells: {
    precision: 'float32',
    filter: `${filter}x${filter}`,
    side,
    images,
    ...{ gemm: 1, winograd: 2, fft: 4, best: 1, wins, get_loss: 0.5 },
  },
});

function reported(rows: readonly RowLine[]) {
  const lines: Line[] = [];
  reportRules({ report: (line: Line) => lines.push(line) } as unknown as StudyContext, rows);
  return (figure: string, keys: object) =>
    lines.find(
      (line): line is RowLine =>
        line.figure === figure &&
        'cells' in line &&
        Object.entries(keys).every(([name, value]) => line.cells[name] === value),
    )?.cells;
}

test('how often each reading is the fastest, and what it loses', () => {
  const of = reported([row(64, 7, 'im2col_gemm, x'), row(64, 28, 'gemm_1x1, x'), row(1, 56, 'direct, x')]);
  // GEMM, FFT and Winograd.
  expect(of('readings', { reading: 'images', limits: 'first' })).toMatchObject({
    problems: 3,
    fastest: 1,
    loss: (0 + 3 + 1) / 3,
    get_loss: 0.5,
  });
  // Winograd, Winograd and GEMM, which does not win where direct does.
  expect(of('readings', { reading: 'pixels', limits: 'first' })).toMatchObject({
    problems: 3,
    fastest: 0,
    loss: (1 + 1 + 0) / 3,
  });
  expect(of('rules', { filter: '5x5', input: 'larger than 32, small', limits: 'first' })).toMatchObject({
    images_fastest: '1 of 1',
    images_loss: 0,
    pixels_fastest: '0 of 1',
    pixels_loss: 0,
  });
  expect(of('rules', { filter: '3x3', input: 'others', limits: 'first' })).toMatchObject({
    images_fastest: '–',
    images_loss: null,
  });
});

test('where the family cannot do the problem, no rule is judged', () => {
  const none = row(1, 7, 'direct, x');
  const of = reported([{ ...none, cells: { ...none.cells, winograd: null } }]);
  expect(of('readings', { reading: 'images', limits: 'first' })).toMatchObject({ problems: 0, loss: null });
});

test('nothing is reported before a problem is measured', () => {
  expect(reported([])('rules', {})).toBeUndefined();
});

test('the kernels of a step by the family of their convolution', () => {
  const choice = (algorithm: string) => ({ algorithm, launch: '', by: 'get' }) as const;
  const choices: ConvChoices = {
    workspace: 0,
    layers: {
      conv: { fprop: choice('fft'), dgrad: choice('direct') },
      conv2: { fprop: choice('winograd_f2x3'), wgrad: choice('im2col_gemm') },
    },
  };
  const kernel = (name: string, layer: string | undefined, median: number) => ({
    kernel: name,
    ...(layer === undefined ? {} : { layer }),
    time: { median },
  });
  const kernels = [
    kernel('conv fprop columns', 'conv', 1),
    kernel('conv dgrad', 'conv', 2),
    kernel('conv bias gradient', 'conv', 3),
    kernel('conv2 fprop', 'conv2', 4),
    kernel('conv2 wgrad', 'conv2', 5),
    kernel('sgd', undefined, 5),
  ];
  expect(sharesOf(kernels, choices)).toEqual({
    total: 20,
    ...{ fft: 0.05, direct: 0.1, winograd: 0.2, gemm: 0.25, rest: 0.4 },
    heaviest: 'conv2 wgrad',
    heaviest_share: 0.25,
  });
});
