import { describe, expect, test } from 'vitest';
import { waiting } from './batch.ts';
import { measured, request, timed, wrong } from './testing.ts';
import {
  absences,
  comparisonInWords,
  comparisonsOf,
  firstOf,
  lanesOf,
  listing,
  ranking,
  standingOf,
  unclearOf,
  verdict,
  wrongOf,
  type TimedVariant,
} from './verdict.ts';

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

  test('times that vary too much are no tie: too noisy', () => {
    const best: TimedVariant = { ...timed('direct', 23.2), interval: [20, 47] };
    const other: TimedVariant = { ...timed('fft', 45.6), interval: [36, 57] };
    const one = measured([best, other], [], [], [other]);
    expect(verdict(one)).toBe(
      'Too noisy to tell: direct takes 23.2 ms (20.0 ms to 47.0 ms) and fft 45.6 ms (36.0 ms to 57.0 ms).',
    );
    const third: TimedVariant = { ...timed('implicit_gemm', 46), interval: [30, 60] };
    expect(verdict(measured([best, other, third], [], [], [other, third]))).toBe(
      'Too noisy to tell: direct takes 23.2 ms (20.0 ms to 47.0 ms); fft and implicit_gemm may be as fast.',
    );
    expect(unclearOf(one)).toEqual([other]);
    expect(firstOf(one)).toEqual([best]);
  });

  test('edited WGSL is named, and what is wrong with it comes first', () => {
    const yours = { ...timed('direct', 1), yours: true as const };
    expect(verdict(measured([timed('direct', 2), yours]))).toBe(
      'Fastest: direct (yours), 1.00 ms, 2.00× as fast as direct.',
    );
    const broken = {
      ...wrong('direct'),
      outcome: 'failed' as const,
      reason: "shaders/conv/direct/fprop.wgsl:27: unresolved value 'nothing'\n    var sum = nothing;",
      yours: true as const,
    };
    expect(verdict(measured([timed('direct', 2), timed('fft', 1), broken]))).toBe(
      "Your direct does not compile: conv/direct/fprop.wgsl, line 27: unresolved value 'nothing'. Fastest: fft, 1.00 ms, 2.00× as fast as direct.",
    );
    expect(verdict(measured([timed('direct', 2), { ...wrong('direct'), yours: true }]))).toMatch(
      /^Your direct gives incorrect results\. /,
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
  expect(firstOf(one)).toMatchObject([{ algorithm: 'fft', launch: 'other' }]);
});

test('the standing: the fastest so far, and how the others stand beside it at the end', () => {
  const [direct, fft] = [timed('direct', 2), timed('fft', 1)];
  expect(standingOf(waiting(request))).toBeUndefined();
  expect(standingOf(measured([wrong('fft')]))).toBeUndefined();
  const running = { ...waiting(request), state: 'measuring' as const, tried: [direct, fft] };
  expect(standingOf(running)).toMatchObject({ winner: fft, first: [fft], next: direct, lead: 2 });
  expect(standingOf(measured([direct, fft], [direct]))).toMatchObject({
    first: [fft, direct],
    next: undefined,
  });
  expect(standingOf(measured([direct, fft], [], [], [direct]))).toMatchObject({ unclear: [direct] });
});

describe('yours beside the original', () => {
  const compare = (yours: number, interval: readonly [number, number]) => {
    const mine: TimedVariant = { ...timed('direct', yours), interval, yours: true };
    const [comparison, ...more] = comparisonsOf(measured([timed('direct', 2), timed('fft', 1), mine]));
    expect(more).toEqual([]);
    return comparisonInWords(comparison);
  };

  test('a difference in percent, with its interval', () => {
    expect(compare(1.5, [1.45, 1.55])).toBe(
      'Your direct takes 25 % less time than the original: 1.50 ms instead of 2.00 ms (−30 % to −20 %).',
    );
    expect(compare(2.5, [2.45, 2.55])).toMatch(/^Your direct takes 25 % more time than the original/);
    expect(compare(2.01, [1.97, 2.05])).toMatch(/cannot be distinguished.*\(−4\.4 % to \+5\.7 %\)\.$/);
  });

  test('it has a lane of its own', () => {
    const mine: TimedVariant = { ...timed('direct', 1.5), yours: true };
    const lanes = lanesOf(measured([timed('direct', 2), mine]), names);
    expect(lanes.map(({ name, best }) => [name, best?.median]).slice(0, 2)).toEqual([
      ['direct (yours)', 1.5],
      ['direct', 2],
    ]);
  });
});

test('equal reasons are shown once, in the plural', () => {
  const absent = [
    { algorithm: 'direct', reason: 'it requires f16' },
    { algorithm: 'fft', reason: 'stride 2' },
    { algorithm: 'gemm_1x1', reason: 'it requires f16' },
  ];
  expect(absences({ absent })).toEqual([
    { algorithms: ['direct', 'gemm_1x1'], reason: 'they require f16' },
    { algorithms: ['fft'], reason: 'stride 2' },
  ]);
});

test('listing', () => {
  expect([listing([]), listing(['a']), listing(['a', 'b', 'c'])]).toEqual(['', 'a', 'a, b and c']);
});
