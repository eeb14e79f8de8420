import { beforeAll, expect, test, vi } from 'vitest';
import type * as Module from './Forecast.tsx';

let forecast: typeof Module.forecast;
beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }));
  ({ forecast } = await import('./Forecast.tsx'));
});

const run = {
  step: 150,
  epoch: 1,
  epochs: undefined,
  target: undefined,
  epochLength: 100,
  pace: 0.5,
  evaluations: [],
};

test('the end of the epoch, and of a run with a fixed length', () => {
  expect(forecast(run)).toBe('About 25 s left in this epoch.');
  expect(forecast({ ...run, epochs: 4 })).toBe('About 25 s left in this epoch, about 2.1 min in the run.');
  expect(forecast({ ...run, epochs: 2 })).toBe('About 25 s left in the run.');
  expect(forecast({ ...run, epoch: 2, epochs: 2 })).toBe('');
});

test('a target accuracy, until it is reached', () => {
  expect(forecast({ ...run, target: 0.9 })).toMatch(
    /; not enough data to estimate when accuracy reaches 90\.0 %\.$/,
  );
  const evaluation = { epoch: 1, step: 100, testLoss: 0.1, testAccuracy: 0.95 };
  const evaluations = [evaluation] as unknown as typeof run.evaluations;
  expect(forecast({ ...run, target: 0.9, evaluations })).toBe('About 25 s left in this epoch.');
});

test('nothing before the pace is known', () => expect(forecast({ ...run, pace: NaN })).toBe(''));
