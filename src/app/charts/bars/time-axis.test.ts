import { describe, expect, test } from 'vitest';
import { timeAxis } from './time-axis.ts';

const at = (median: number) => ({ median, p10: 0.9 * median, p90: 1.1 * median });

describe('timeAxis', () => {
  test('there is none without times', () => expect(timeAxis('all', [])).toBeUndefined());

  test('all: from zero to the longest', () => {
    const axis = timeAxis('all', [at(1), at(100)])!;
    expect(axis.at(0)).toBe(0);
    expect(axis.at(50)).toBeCloseTo(axis.at(100) / 2);
    expect(axis.at(110)).toBeLessThan(1);
    expect(axis.cut(110)).toBe(false);
    expect(axis.ticks).toEqual([0, 50, 100]);
  });

  test('near: times much longer than the fastest are cut', () => {
    const axis = timeAxis('near', [at(1), at(3), at(100)])!;
    expect(axis.cut(3)).toBe(false);
    expect(axis.at(3)).toBeCloseTo(0.48, 2);
    expect(axis.cut(100)).toBe(true);
    expect(axis.at(100)).toBe(1);
  });

  test('near: equals all if no time is far', () => {
    const axis = timeAxis('near', [at(1), at(2)])!;
    expect(axis.cut(2.2)).toBe(false);
    expect(axis.at(2.2)).toBeCloseTo(1 / 1.04);
  });

  test('log: equal factors are equal lengths', () => {
    const axis = timeAxis('log', [at(0.02), at(2)])!;
    expect(axis.at(0.2) - axis.at(0.02)).toBeCloseTo(axis.at(2) - axis.at(0.2));
    for (const tick of axis.ticks) expect(Math.log10(tick)).toBeCloseTo(Math.round(Math.log10(tick)));
    expect(axis.at(0.018)).toBeGreaterThan(0);
  });
});
