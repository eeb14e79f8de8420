import { renderHook } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { useApp } from '../../state/store.ts';
import { newBatch } from './batch.ts';
import { learn, useEstimate, useProgress } from './estimate.ts';
import { request } from './testing.ts';

const onAdapter = (description: string, software: boolean) =>
  useApp.setState({ adapter: { description, software, cpu: false } as never });
/** What a hook returns now. */
function once<T>(hook: () => T): T {
  const { result, unmount } = renderHook(hook);
  unmount();
  return result.current;
}
const estimate = (count: number) => once(() => useEstimate('suite', count));

beforeEach(() => onAdapter('a slow one', true));

test('long before the first measurement, then as long as those before; on each adapter for itself', () => {
  expect(estimate(27)).toBe('about 6.8 min');
  learn('suite', 4);
  expect(estimate(27)).toBe('about 1.8 min');
  learn('suite', 9);
  expect(estimate(10)).toBe('about 65 s');
  onAdapter('a GPU', false);
  expect(estimate(27)).toBe('about 54 s');
});

test('the time that is left while it runs', () => {
  onAdapter('another GPU', false);
  const progress = (batch: Parameters<typeof useProgress>[1]) =>
    once(() => useProgress('map', batch, 3, 'cell'));
  expect(progress(undefined)).toBe('3 cells take about 6 s.');
  const batch = newBatch(1, [request, request, request]);
  const [first, ...rest] = batch.measurements;
  const running = { ...batch, state: 'measuring' as const };
  expect(progress({ ...running, measurements: [{ ...first, state: 'found' }, ...rest] })).toBe(
    'Measuring: 1 of 3 cells, about 4 s left.',
  );
  expect(progress({ ...batch, state: 'cancelled' })).toBe('Stopped after 0 of 3 cells.');
});
