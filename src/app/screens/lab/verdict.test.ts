import { describe, expect, test } from 'vitest';
import { waiting } from './batch.ts';
import { measured, request, timed, wrong } from './testing.ts';
import { absences, firstOf, lanesOf, listing, ranking, verdict, wrongOf } from './verdict.ts';

const names = ['direct', 'fft', 'gemm_1x1', 'implicit_gemm'];

describe('verdict', () => {
  test('a winner, and by how much', () => {
    const one = measured([timed('direct', 2), timed('fft', 0.5), timed('fft', 0.4, 'other')]);
    expect(verdict(one)).toBe('Fastest: fft, 400 µs, 5.00× as fast as direct.');
  });

  test('algorithms tie, variants of one algorithm do not', () => {
    const [a, b, c] = [timed('direct', 1), timed('fft', 1.02), timed('implicit_gemm', 3)];
    const own = timed('direct', 1.01, 'other');
    expect(verdict(measured([a, b, c, own], [b, own]))).toBe(
      'Tie: the timings of direct (1.00 ms) and fft (1.02 ms) overlap. implicit_gemm is next: 3.00× as long.',
    );
    expect(verdict(measured([a, c, own], [own]))).toBe(
      'Fastest: direct, 1.00 ms, 3.00× as fast as implicit_gemm.',
    );
  });

  test('with only one result or none', () => {
    expect(verdict(measured([timed('direct', 1)]))).toBe(
      'direct takes 1.00 ms. No other algorithm succeeded.',
    );
    expect(verdict(measured([wrong('direct')]))).toBe('No algorithm gave correct results.');
    expect(verdict(measured([], [], [{ algorithm: 'fft', reason: 'no' }]))).toBe(
      'No algorithm supports this convolution.',
    );
    expect(verdict(waiting(request))).toBe('');
  });
});

describe('lanes', () => {
  test('keep the order of names while measuring', () => {
    const one = {
      ...waiting(request),
      state: 'measuring' as const,
      tried: [timed('fft', 1), timed('direct', 2)],
      absent: [{ algorithm: 'gemm_1x1', reason: 'no' }],
    };
    const lanes = lanesOf(one, names);
    expect(lanes.map(({ algorithm }) => algorithm)).toEqual(['direct', 'fft', 'implicit_gemm']);
    expect(lanes.map(({ best }) => best?.median)).toEqual([2, 1, undefined]);
    expect(lanes.some(({ first }) => first)).toBe(false);
  });

  test('are sorted at the end, incorrect ones last, with the winner marked', () => {
    const one = measured([wrong('direct'), timed('fft', 2), timed('implicit_gemm', 1)]);
    const lanes = lanesOf(one, names).filter(({ launches }) => launches.length > 0);
    expect(lanes.map(({ algorithm, first }) => [algorithm, first])).toEqual([
      ['implicit_gemm', true],
      ['fft', false],
      ['direct', false],
    ]);
    expect(wrongOf(one).map(({ algorithm }) => algorithm)).toEqual(['direct']);
  });

  test('only the requested ones', () => {
    const one = { ...waiting(request), request: { ...request, algorithms: ['fft'] } };
    expect(lanesOf(one, names).map(({ algorithm }) => algorithm)).toEqual(['fft']);
  });
});

test('the ranking has the fastest launch of each', () => {
  const one = measured([timed('fft', 3), timed('fft', 2, 'other'), timed('direct', 2.5)]);
  expect(ranking(one).map(({ algorithm, median }) => [algorithm, median])).toEqual([
    ['fft', 2],
    ['direct', 2.5],
  ]);
  expect(firstOf(one)).toEqual([{ algorithm: 'fft', launch: 'other' }]);
});

test('equal reasons are shown once', () => {
  const absent = [
    { algorithm: 'direct', reason: 'no 16 bits' },
    { algorithm: 'fft', reason: 'stride 2' },
    { algorithm: 'gemm_1x1', reason: 'no 16 bits' },
  ];
  expect(absences({ absent })).toEqual([
    { algorithms: ['direct', 'gemm_1x1'], reason: 'no 16 bits' },
    { algorithms: ['fft'], reason: 'stride 2' },
  ]);
});

test('listing', () => {
  expect([listing([]), listing(['a']), listing(['a', 'b', 'c'])]).toEqual(['', 'a', 'a, b and c']);
});
