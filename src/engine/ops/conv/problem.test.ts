import type { Pair } from '../../../base/shape.ts';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../../base/result.ts';
import {
  convProblem,
  flops,
  inputShape,
  outputShape,
  parseProblem,
  problemKey,
  weightShape,
  type ProblemSizes,
} from './problem.ts';

const lenet: ProblemSizes = { N: 64, C: 1, H: 28, W: 28, K: 6, R: 5, S: 5, padding: [2, 2] };

describe('convProblem', () => {
  test('computes P and Q and applies defaults', () => {
    const problem = convProblem(lenet);
    expect(problem).toMatchObject({ P: 28, Q: 28, stride: [1, 1], dilation: [1, 1], groups: 1 });
    expect(inputShape(problem)).toEqual([64, 1, 28, 28]);
    expect(weightShape(problem)).toEqual([6, 1, 5, 5]);
    expect(outputShape(problem)).toEqual([64, 6, 28, 28]);
    expect(flops(problem)).toBe(2 * 64 * 6 * 28 * 28 * 25);
  });

  test('rounds down if the stride does not fit, in each dimension separately', () => {
    const sizes = { ...lenet, C: 4, groups: 2, stride: [4, 3], padding: [2, 0], dilation: [1, 2] } as const;
    const problem = convProblem(sizes);
    expect([problem.P, problem.Q]).toEqual([7, 7]);
    expect(weightShape(problem)).toEqual([6, 2, 5, 5]);
    expect(flops(problem)).toBe(2 * 64 * 6 * 7 * 7 * 2 * 25);
    expect(problemKey(problem)).toBe('n64 c4 28x28 k6 5x5 s4x3 p2x0 d1x2 g2');
  });

  test('“same” becomes numbers, and opposite sides may differ', () => {
    const same = convProblem({ ...lenet, R: 4, stride: [2, 1], padding: 'same' });
    expect(same).toMatchObject({ P: 14, Q: 28, padding: { top: 1, bottom: 1, left: 2, right: 2 } });
    const even = convProblem({ ...lenet, S: 4, padding: 'same' });
    expect(even).toMatchObject({ P: 28, Q: 28, padding: { top: 2, bottom: 2, left: 1, right: 2 } });
    expect(problemKey(even)).toBe('n64 c1 28x28 k6 5x4 s1x1 p2,2,1,2 d1x1 g1');
    expect(parseProblem('n64 c1 28x28 k6 5x4 psame')).toEqual(even);
    expect(convProblem({ ...lenet, padding: { top: 0, bottom: 4, left: 1, right: 0 } })).toMatchObject({
      P: 28,
      Q: 25,
    });
    expect(convProblem({ ...lenet, padding: 'valid' })).toEqual(convProblem({ ...lenet, padding: [0, 0] }));
  });

  test('in NHWC, channels are last, of filters too', () => {
    const problem = convProblem({ ...lenet, C: 4, groups: 2, layout: 'nhwc' });
    expect(inputShape(problem)).toEqual([64, 28, 28, 4]);
    expect(weightShape(problem)).toEqual([6, 5, 5, 2]);
    expect(outputShape(problem)).toEqual([64, 28, 28, 6]);
    expect(() => convProblem({ ...lenet, layout: 'chwn' as 'nhwc' })).toThrow(
      /expected layout .* found chwn/,
    );
  });

  test.each<[string, Partial<ProblemSizes>, RegExp]>([
    ['strides', { stride: [2 ** 31, 1] }, /at most 1073741824 pixels, found a stride of 2147483648/],
    ['dilations', { R: 1, dilation: [2 ** 33, 1] }, /found a dilation of 8589934592/],
    ['paddings', { stride: [1, 2 ** 30], padding: [0, 2 ** 31] }, /found a padded image of 4294967324/],
    ['filters', { S: 2 ** 31, padding: [0, 2 ** 30] }, /found a padded image of/],
    ['images', { H: 2 ** 31 }, /found a padded image of/],
  ])('refuses %s that kernels cannot count', (_, sizes, message) => {
    expect(() => convProblem({ ...lenet, ...sizes })).toThrow(message);
    expect(() => convProblem({ ...lenet, ...sizes })).toThrow(Failure);
  });

  test('is immutable', () => {
    const problem = convProblem(lenet);
    expect([problem, problem.stride, problem.padding].every((one) => Object.isFrozen(one))).toBe(true);
  });

  test.each<[string, Partial<ProblemSizes>, RegExp]>([
    ['a size of 0', { N: 0 }, /expected N .* found 0/],
    ['a fraction', { H: 2.5 }, /expected H .* found 2.5/],
    ['not a number', { groups: Number.NaN }, /expected groups/],
    ['a negative padding', { padding: [0, -1] }, /expected padding .* at least 0, found \[0,-1\]/],
    ['an unknown padding', { padding: 'full' as 'same' }, /expected padding .* found "full"/],
    [
      'a single padding',
      { padding: 2 as unknown as Pair },
      /expected padding to be .*vertical, horizontal.* found 2/,
    ],
    ['three strides', { stride: [1, 1, 1] as unknown as Pair }, /expected stride .* found \[1,1,1\]/],
    ['a stride of 0', { stride: [0, 1] }, /expected stride/],
    ['groups that do not divide C', { C: 3, groups: 2 }, /3 input channels .* 2 groups/],
    ['groups that do not divide K', { C: 4, groups: 4 }, /6 filters .* 4 groups/],
    ['a filter larger than the image', { dilation: [8, 1] }, /spans 33 pixels .* vertically .* 32/],
    ['more than a buffer holds', { N: 2 ** 20, H: 1000, W: 1000 }, /more than/],
  ])('refuses %s', (_, change, message) => {
    expect(() => convProblem({ ...lenet, ...change })).toThrow(message);
    expect(() => convProblem({ ...lenet, ...change })).toThrow(Failure);
  });
});

describe('parseProblem', () => {
  test('reads keys, with or without values that have defaults', () => {
    for (const text of [
      'n64 c4 32x30 k6 5x3 s2x1 p2x0 d1x2 g2',
      'n1 c1 1x1 k1 1x1 s1x1 p0x0 d1x1 g1',
      'n1 c1 8x8 k1 3x3 s2x2 p0,1,2,0 d1x1 g1',
      'n1 c1 8x8 k1 3x3 s1x1 p1x1 d1x1 g1 nhwc',
    ]) {
      expect(problemKey(parseProblem(text))).toBe(text);
    }
    expect(parseProblem(' n1 c4 32x32 k16 3x3 p1')).toEqual(
      convProblem({ N: 1, C: 4, H: 32, W: 32, K: 16, R: 3, S: 3, padding: [1, 1] }),
    );
  });

  test.each([
    '',
    'n1 c4 32 k16 3x3',
    'n1 c4 32x32 k16 3x3 g',
    'n1 c4 32x32 k16 3x3 p1x1x1',
    'n1 c4 32x32 k16 3x3 pfull',
  ])('refuses "%s"', (text) => {
    expect(() => parseProblem(text)).toThrow(`found "${text}"`);
  });

  test('refuses invalid sizes', () => {
    expect(() => parseProblem('n1 c3 4x4 k2 3x3 g2')).toThrow(/3 input channels/);
  });
});
