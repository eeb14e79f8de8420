import { expect, test } from 'vitest';
import { panned, revealed, within, zoomed } from './time-range.ts';

const whole = { from: 0, to: 100 };

test('zooming keeps the time under the pointer, and ends at the whole', () => {
  expect(zoomed(whole, whole, 0.5, 20)).toEqual({ from: 10, to: 60 });
  expect(zoomed({ from: 10, to: 60 }, whole, 4, 20)).toEqual(whole);
  const { from, to } = zoomed(whole, whole, 1e-9, 50);
  expect(to - from).toBeCloseTo(0.1);
});

test('panning stops at the ends', () => {
  expect(panned({ from: 10, to: 60 }, whole, 0.2)).toEqual({ from: 20, to: 70 });
  expect(panned({ from: 10, to: 60 }, whole, 3)).toEqual({ from: 50, to: 100 });
  expect(within({ from: -5, to: 5 }, whole)).toEqual({ from: 0, to: 10 });
});

test('a span outside the view is brought into it', () => {
  expect(revealed({ from: 0, to: 10 }, whole, { start: 2, ms: 3 })).toEqual({ from: 0, to: 10 });
  expect(revealed({ from: 0, to: 10 }, whole, { start: 48, ms: 4 })).toEqual({ from: 45, to: 55 });
});
