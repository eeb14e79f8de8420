import { expect, test, vi } from 'vitest';
import { ok, type Result } from '../base/result.ts';
import type { OwnRequest } from '../worker/api.ts';
import { takeOwn } from './datasets.ts';
import { obstacleToTraining } from './actions/start.ts';
import { useApp } from './state/store.ts';
import { anyPart } from './testing/any-part.ts';
import { datasetEntry } from './testing/dataset-entry.ts';

const own = (train: number) =>
  datasetEntry({
    ...{ name: 'own', own: true, classes: ['ball', 'box', 'star'] },
    counts: { train, test: train / 4 },
  });

vi.mock('./client.ts', () => {
  const api = {
    takeOwn: async () => ok({ counts: [], skipped: [], more: 0 }),
    catalogue: async () => ok({ datasets: [own(48)] }),
    samples: async () => ok(undefined),
  };
  const ask = <T,>(question: (one: unknown) => Promise<Result<T>>) => question(anyPart(api));
  return { ask };
});

test.each([
  ['64', '8'],
  ['4', '4'],
])('48 own images, added while a batch has %s: it gets %s, and Train can start', async (before, after) => {
  const initial = useApp.getInitialState();
  const settings = { ...initial.settings, dataset: 'own', batchSize: before };
  useApp.setState({ ...initial, device: 'ready', datasets: [own(0)], settings }, true);
  await takeOwn({} as OwnRequest);
  expect(useApp.getState().settings.batchSize).toBe(after);
  expect(obstacleToTraining(useApp.getState())).toBeUndefined();
});
