import { expect, test } from 'vitest';
import { convProblem } from '../../engine/ops/conv/problem.ts';
import { convAlgorithms } from '../../engine/ops/conv/algorithms/index.ts';
import { square } from '../../models/suites.ts';
import { FAMILIES, familyOf, ruleFor } from './rules.ts';

const ruled = (filter: number, size: number, number: 'f32' | 'f16' = 'f32') =>
  ruleFor(convProblem({ ...square(8, size, 8, filter, (filter - 1) / 2), N: 1 }), number)?.choice;

test('float32: 1x1 GEMM; 3x3 Winograd, but GEMM for very large images; 5x5 by the size', () => {
  expect([ruled(1, 7), ruled(1, 224)]).toEqual(['GEMM', 'GEMM']);
  expect([ruled(3, 7), ruled(3, 112), ruled(3, 224)]).toEqual(['Winograd', 'Winograd', 'GEMM']);
  expect([ruled(5, 7), ruled(5, 28), ruled(5, 33)]).toEqual(['GEMM', 'FFT', 'Winograd']);
});

test('float16: GEMM for 1x1 and 5x5, Winograd for 3x3', () =>
  expect([1, 3, 5].map((filter) => ruled(filter, 28, 'f16'))).toEqual(['GEMM', 'Winograd', 'GEMM']));

test('nothing is said of other filters', () => expect(ruled(7, 28)).toBeUndefined());

test('families name algorithms that exist; direct is in none', () => {
  for (const name of Object.values(FAMILIES).flat()) expect(convAlgorithms.has(name)).toBe(true);
  expect([familyOf('gemm_1x1'), familyOf('fft_tiling'), familyOf('direct')]).toEqual([
    'GEMM',
    'FFT',
    undefined,
  ]);
});
