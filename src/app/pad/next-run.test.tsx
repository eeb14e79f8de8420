import { expect, test, vi } from 'vitest';
import { fail, ok, type Result } from '../../base/result.ts';
import type { DatasetEntry, RunStart, WorkerApi } from '../../worker/api.ts';
import { useRuns } from '../journal/runs-store.ts';
import { useApp } from '../state/store.ts';
import { padDataset } from './pad-dataset.ts';
import { usePad } from './pad-store.ts';
import { showOnPad } from './pad-image.ts';
import { anyPart } from '../testing/any-part.ts';

const predictNext = vi.fn<WorkerApi['predict']['predictNext']>();
const predict = vi.fn<WorkerApi['train']['predict']>();
vi.mock('../client.ts', () => ({
  ask: <T,>(question: (api: unknown) => Promise<Result<T>>) =>
    question(anyPart({ predict, predictNext, predictTrained: () => new Promise(() => undefined) })),
}));

const dataset = (name: string) =>
  ({
    name,
    shape: [1, 2, 2],
    classes: ['a', 'b'],
    counts: { train: 100, test: 3 },
    augmentation: {},
  }) as unknown as DatasetEntry;
const start: RunStart = { id: 'held', run: 'r', name: 'net', step: 0 };
const probabilities = Float32Array.of(0, 1);

test('the network that the next run starts from answers before the run does, and no longer than that', async () => {
  predictNext.mockResolvedValue(ok({ probabilities, step: 0 }));
  predict.mockResolvedValue(ok({ probabilities, step: 7 }));
  useApp.setState({ datasets: [dataset('old'), dataset('new')], runId: 1, runState: 'stopped' });
  useApp.setState({ runConfig: { dataset: 'old' } as never });
  useApp.getState().change({ dataset: 'new' });
  showOnPad(new Uint8Array(4), [1, 2, 2]);
  const shown = () => usePad.getState().prediction;
  await expect.poll(() => shown()).toMatchObject({ step: 7 });
  expect(padDataset(useApp.getState())?.name).toBe('old');

  useRuns.setState({ fork: start });
  expect(shown()).toBeUndefined();
  expect(padDataset(useApp.getState())?.name).toBe('new');
  await expect.poll(() => shown()).toEqual({ probabilities, step: 0, from: 'net' });
  expect(predictNext.mock.lastCall?.[0]).toMatchObject({ dataset: 'new', start });

  // Of other weights, only a reason.
  predictNext.mockResolvedValue(fail({ code: 'not-found', message: 'fc.weight is new' }));
  useRuns.setState({ fork: { ...start, id: 'other' } });
  await expect.poll(() => usePad.getState().error?.message).toBe('fc.weight is new');

  useApp.setState({ runState: 'training' });
  await expect.poll(() => shown()).toMatchObject({ step: 7 });
});
