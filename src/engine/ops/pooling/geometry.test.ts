import { describe, expect, test } from 'vitest';
import { Failure } from '../../../base/result.ts';
import type { Shape, Pair } from '../../../base/shape.ts';
import {
  adaptiveConstants,
  adaptiveOutputShape,
  type MaxPoolAttributes,
  poolOutputShape,
  poolProblem,
  adaptiveWindows,
} from './geometry.ts';
import { adaptiveMaxPool, maxPool } from './max.ts';
import { complete } from '../../testing/node.ts';

describe('poolProblem', () => {
  test("uses PyTorch's defaults and rounds down", () => {
    const problem = poolProblem('max_pool', complete(maxPool, { kernelSize: [2, 3] }), [4, 6, 9, 10]);
    expect(problem).toMatchObject({
      stride: [2, 3],
      padding: { top: 0, bottom: 0, left: 0, right: 0 },
      dilation: [1, 1],
    });
    expect(poolOutputShape(problem)).toEqual([4, 6, 4, 3]);
  });

  test.each<[string, Partial<MaxPoolAttributes>, number[], RegExp]>([
    ['a vector', { kernelSize: [2, 2] }, [4, 6], /expected images .* \[4, 6\]/],
    ['no images', { kernelSize: [2, 2] }, [0, 6, 8, 8], /expected images/],
    [
      'a single size',
      { kernelSize: 2 as unknown as Pair },
      [1, 1, 8, 8],
      /kernelSize to be two whole numbers .* found 2/,
    ],
    [
      'no size',
      { kernelSize: undefined as unknown as Pair },
      [1, 1, 8, 8],
      /kernelSize to be two whole numbers .* nothing/,
    ],
    ['a window of 0', { kernelSize: [0, 2] }, [1, 1, 8, 8], /kernelSize .* found \[0,2\]/],
    [
      'a fractional stride',
      { kernelSize: [2, 2], stride: [1.5, 1] },
      [1, 1, 8, 8],
      /stride .* found \[1.5,1\]/,
    ],
    [
      'too much padding',
      { kernelSize: [3, 3], padding: [2, 0] },
      [1, 1, 8, 8],
      /padding 2 is more than half .* 3/,
    ],
    [
      'a window larger than the image',
      { kernelSize: [9, 1] },
      [1, 1, 8, 8],
      /9 pixels does not fit into 8 padded by 0/,
    ],
    [
      'a stride that kernels cannot count',
      { kernelSize: [2, 2], stride: [1, 2 ** 31] },
      [1, 1, 8, 8],
      /at most 1073741824 pixels, found a stride of 2147483648/,
    ],
    [
      'padding that kernels cannot count',
      { kernelSize: [2 ** 31, 1], stride: [1, 1], padding: [2 ** 30, 0] },
      [1, 1, 8, 8],
      /found a padded image of 2147483656/,
    ],
    [
      'a window that sees only padding',
      { kernelSize: [2, 1], stride: [1, 1], padding: [1, 0], dilation: [2, 1] },
      [1, 1, 1, 1],
      /window 0 lies entirely in the padding/,
    ],
  ])('refuses %s', (_, given, input, message) => {
    const problem = () => poolProblem('max_pool', complete(maxPool, given), input);
    expect(problem).toThrow(message);
    expect(problem).toThrow(Failure);
  });
});

test('windows by hand: in equal parts, overlapping, and more windows than places', () => {
  const spans = (size: number, count: number) =>
    adaptiveWindows(size, count).map(({ first, end }) => [first, end]);
  // oxfmt-ignore
  expect(spans(6, 3)).toEqual([[0, 2], [2, 4], [4, 6]]);
  // oxfmt-ignore
  expect(spans(7, 3)).toEqual([[0, 3], [2, 5], [4, 7]]);
  // oxfmt-ignore
  expect(spans(2, 3)).toEqual([[0, 1], [0, 2], [1, 2]]);
});

test('the windows that contain a place are the inverse of the places of a window', () => {
  for (let size = 1; size <= 20; size++) {
    for (let count = 1; count <= 20; count++) {
      const windows = adaptiveWindows(size, count);
      for (const [place, { first, end }] of adaptiveWindows(count, size).entries()) {
        const touching = [...windows.keys()].filter(
          (i) => windows[i].first <= place && place < windows[i].end,
        );
        expect([first, end]).toEqual([touching[0], touching[touching.length - 1] + 1]);
      }
    }
  }
});

test('sizes', () => {
  expect(adaptiveOutputShape('pool', { outputSize: [3, 5] }, [2, 4, 7, 9])).toEqual([2, 4, 3, 5]);
  expect(adaptiveConstants({ outputSize: [3, 5] }, [2, 4, 7, 9])).toMatchObject({ R: 3, S: 3, P: 3, Q: 5 });
});

test.each<[string, Pair, Shape, RegExp]>([
  ['a vector', [1, 1], [4, 6], /pool: expected images .* \[4, 6\]/],
  ['a single size', 1 as unknown as Pair, [1, 1, 8, 8], /outputSize to be two whole numbers .* found 1/],
  ['no size', undefined as unknown as Pair, [1, 1, 8, 8], /outputSize to be two whole numbers .* nothing/],
  ['an output of 0', [0, 1], [1, 1, 8, 8], /found \[0,1\]/],
  ['more than kernels count', [1, 32769], [1, 1, 8, 8], /from 1 to 32768, found \[1,32769\]/],
  ['half an output', [1, 1.5], [1, 1, 8, 8], /found \[1,1.5\]/],
])('refuses %s', (_, outputSize, input, message) => {
  const shape = () => adaptiveOutputShape('pool', complete(adaptiveMaxPool, { outputSize }), input);
  expect(shape).toThrow(message);
  expect(shape).toThrow(Failure);
});
