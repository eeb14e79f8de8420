import { expect, test } from 'vitest';
import type { ConvPin } from '../../../worker/api.ts';
import { waiting } from './batch.ts';
import { measured, request, timed, wrong } from './testing.ts';
import { gainOf, isPinned, missingOutcome, stepVerdict, toggleChoice, withPin } from './tuning.ts';

const direct = { algorithm: 'direct', launch: 'plain' };
const fft = { algorithm: 'fft', launch: 'plain' };
const conv1 = { layer: 'conv1', direction: 'fprop' } as const;
const conv2 = { layer: 'conv2', direction: 'fprop' } as const;

test('a layer and direction has one pin at most', () => {
  const pins: ConvPin[] = [{ ...conv1, ...direct }];
  const both = withPin(withPin(pins, conv2, direct), conv1, fft);
  expect(both).toEqual([
    { ...conv2, ...direct },
    { ...conv1, ...fft },
  ]);
  expect(isPinned(both, conv1, fft)).toBe(true);
  expect(isPinned(both, conv1, direct)).toBe(false);
  expect(isPinned(both, { ...conv1, direction: 'dgrad' }, fft)).toBe(false);
  expect(withPin(both, conv1, undefined)).toEqual([{ ...conv2, ...direct }]);
});

test('a variant is excluded and included again', () => {
  // What is more than a choice does not get into what is stored.
  const excluded = toggleChoice([direct], timed('fft', 1));
  expect(excluded).toEqual([direct, fft]);
  expect(toggleChoice(excluded, direct)).toEqual([fft]);
});

test('the gain of the fastest variant over the predicted one', () => {
  const winner = timed('fft', 1.5);
  const measurement = measured([timed('direct', 3), winner, wrong('implicit_gemm')]);
  expect(gainOf(measurement, winner, direct)).toBe('2.00×');
  expect(gainOf(measurement, winner, fft)).toBe('default');
  expect(gainOf(measurement, winner, { algorithm: 'implicit_gemm', launch: 'plain' })).toBe('–');
});

test('no result, and why', () => {
  expect(missingOutcome(undefined)).toBe('not measured');
  expect(missingOutcome({ ...waiting(request), state: 'measuring' })).toBe('measuring…');
  expect(missingOutcome(measured([wrong('fft')]))).toBe('no result');
  const error = { code: 'out-of-memory', message: 'too large' } as const;
  expect(missingOutcome({ ...waiting(request), state: 'refused', error })).toBe('too large');
});

test('a step time differs only if the spreads do not overlap', () => {
  const spread = (median: number) => ({ median, p10: median - 1, p90: median + 1, samples: 5 });
  expect(stepVerdict(spread(10), spread(9))).toBe('No significant difference.');
  expect(stepVerdict(spread(10), spread(5))).toBe('Training steps are 2.00× as fast after tuning.');
  expect(stepVerdict(spread(5), spread(10))).toContain('Tuned steps take 2.00× as long');
});
