import { describe, expect, test } from 'vitest';
import { SETTINGS } from '../../../../run/settings/table.ts';
import { convAlgorithms } from '../algorithms/index.ts';
import { convProblem } from '../problem.ts';
import { FAMILIES, familyOf, ruleFor, THRESHOLDS, type Reading } from './rules.ts';

const square = (filter: number, N: number, side: number) =>
  convProblem({ N, C: 8, H: side, W: side, K: 8, R: filter, S: filter, padding: 'same' });

/** By [N, height and width]. */
const ruled = (reading: Reading, filter: number, inputs: [number, number][], second = false) =>
  inputs.map(
    ([N, side]) =>
      ruleFor(square(filter, N, side), 'f32', reading, THRESHOLDS[reading][second ? 1 : 0])?.choice,
  );

describe('32 as images', () => {
  test('1x1: GEMM', () => {
    const inputs: [number, number][] = [
      [1, 7],
      [128, 224],
    ];
    expect(ruled('images', 1, inputs)).toEqual(['GEMM', 'GEMM']);
  });

  test('3x3: Winograd, but GEMM for a very large number of them', () => {
    const inputs: [number, number][] = [
      [1, 224],
      [64, 224],
      [128, 7],
    ];
    expect(ruled('images', 3, inputs)).toEqual(['Winograd', 'Winograd', 'GEMM']);
    expect(ruled('images', 3, inputs, true)).toEqual(['Winograd', 'GEMM', 'GEMM']);
  });

  test('5x5: above 32 GEMM for small ones and FFT for medium ones, else Winograd', () => {
    const inputs: [number, number][] = [
      [64, 7],
      [33, 28],
      [64, 56],
      [64, 224],
      [32, 7],
      [16, 28],
    ];
    const others = ['Winograd', 'Winograd'];
    expect(ruled('images', 5, inputs)).toEqual(['GEMM', 'FFT', 'Winograd', 'Winograd', ...others]);
    expect(ruled('images', 5, inputs, true)).toEqual(['GEMM', 'FFT', 'FFT', 'Winograd', ...others]);
  });
});

describe('32 as pixels', () => {
  test('3x3: Winograd, but GEMM for very large ones', () => {
    const inputs: [number, number][] = [
      [256, 56],
      [1, 112],
      [1, 224],
    ];
    expect(ruled('pixels', 3, inputs)).toEqual(['Winograd', 'Winograd', 'GEMM']);
    expect(ruled('pixels', 3, inputs, true)).toEqual(['Winograd', 'GEMM', 'GEMM']);
  });

  test('5x5: above 32 GEMM for small ones and FFT for medium ones, else Winograd', () => {
    const inputs: [number, number][] = [
      [128, 7],
      [128, 32],
      [1, 33],
      [1, 112],
      [1, 224],
    ];
    const small = ['Winograd', 'Winograd', 'GEMM'];
    expect(ruled('pixels', 5, inputs)).toEqual([...small, 'FFT', 'Winograd']);
    expect(ruled('pixels', 5, inputs, true)).toEqual([...small, 'GEMM', 'FFT']);
  });

  test('the longer side counts', () => {
    const problem = convProblem({ N: 1, C: 8, H: 7, W: 40, K: 8, R: 5, S: 5, padding: 'same' });
    expect(ruleFor(problem, 'f32', 'pixels')?.choice).toBe('GEMM');
  });
});

test.each(['images', 'pixels'] as const)(
  'float16, 32 as %s: GEMM for 1x1 and 5x5, Winograd for 3x3, whatever the input',
  (reading) => {
    for (const [N, side] of [
      [1, 28],
      [128, 224],
    ])
      expect([1, 3, 5].map((filter) => ruleFor(square(filter, N, side), 'f16', reading)?.choice)).toEqual([
        'GEMM',
        'Winograd',
        'GEMM',
      ]);
  },
);

test('nothing is said of other filters', () => {
  const flat = convProblem({ N: 64, C: 8, H: 7, W: 7, K: 8, R: 1, S: 3 });
  for (const problem of [square(7, 64, 28), flat]) expect(ruleFor(problem, 'f32', 'images')).toBeUndefined();
});

test('families name algorithms that exist; direct is in none', () => {
  for (const name of Object.values(FAMILIES).flat()) expect(convAlgorithms.has(name)).toBe(true);
  expect(['gemm_1x1', 'fft_tiling', 'direct'].map(familyOf)).toEqual(['GEMM', 'FFT', undefined]);
});

test('the setting of runs has every algorithm', () => {
  expect(Object.keys(SETTINGS.convAlgorithm.choices)).toEqual([
    ...['auto', 'rules', 'rules-pixels'],
    ...convAlgorithms.names(),
  ]);
});
