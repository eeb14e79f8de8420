import { describe, expect, test } from 'vitest';
import { Failure } from '../../base/result.ts';
import { poolOutputShape, poolProblem, type Pair, type PoolAttributes } from './pooling.ts';

describe('poolProblem', () => {
  test("takes PyTorch's defaults and rounds down", () => {
    const problem = poolProblem('max_pool', { kernelSize: [2, 3] }, [4, 6, 9, 10]);
    expect(problem).toMatchObject({ stride: [2, 3], padding: [0, 0], dilation: [1, 1] });
    expect(poolOutputShape(problem)).toEqual([4, 6, 4, 3]);
  });

  test.each<[string, PoolAttributes & { dilation?: [number, number] }, number[], RegExp]>([
    ['a vector', { kernelSize: [2, 2] }, [4, 6], /expected images .* \[4, 6\]/],
    ['no images', { kernelSize: [2, 2] }, [0, 6, 8, 8], /expected images/],
    [
      'a single size',
      { kernelSize: 2 as unknown as Pair },
      [1, 1, 8, 8],
      /kernel size to be a pair .* found 2/,
    ],
    [
      'no size',
      { kernelSize: undefined as unknown as Pair },
      [1, 1, 8, 8],
      /kernel size to be a pair .* undefined/,
    ],
    ['a window of 0', { kernelSize: [0, 2] }, [1, 1, 8, 8], /kernel size .* found 0/],
    ['a fractional stride', { kernelSize: [2, 2], stride: [1.5, 1] }, [1, 1, 8, 8], /stride .* found 1.5/],
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
      /9 does not fit into 8 padded by 0/,
    ],
    [
      'a window that sees only padding',
      { kernelSize: [2, 1], stride: [1, 1], padding: [1, 0], dilation: [2, 1] },
      [1, 1, 1, 1],
      /window 0 lies in the padding alone/,
    ],
  ])('refuses %s', (_, attributes, input, message) => {
    expect(() => poolProblem('max_pool', attributes, input)).toThrow(message);
    expect(() => poolProblem('max_pool', attributes, input)).toThrow(Failure);
  });
});
