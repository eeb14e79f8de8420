import { expect, test, vi } from 'vitest';
import { ok, type Result } from '../../base/result.ts';
import type { DatasetEntry, Look, WorkerApi } from '../../worker/api.ts';
import { emit } from '../events.ts';
import { live } from '../metrics/live.ts';
import { useApp } from '../state/store.ts';
import { anyPart } from '../testing/any-part.ts';
import { showMaps } from './live-prediction.ts';
import { usePad } from './pad-store.ts';
import { showOnPad } from './pad-image.ts';

const predict = vi.fn<WorkerApi['train']['predict']>();
const look = vi.fn<WorkerApi['inspect']['look']>();
const asked = vi.fn<() => void>();
vi.mock('../client.ts', () => ({
  ask: <T,>(question: (api: unknown) => Promise<Result<T>>) => {
    asked();
    return question(anyPart({ predict, look, predictTrained: () => new Promise(() => undefined) }));
  },
}));

const dataset = {
  name: 'digits',
  shape: [1, 2, 2],
  classes: ['a', 'b'],
  counts: { train: 100, test: 3 },
  augmentation: {},
} as unknown as DatasetEntry;
const probabilities = Float32Array.of(0.25, 0.75);

test('a frame of pad and picture is one question, whose answer is of the run that is asked', async () => {
  predict.mockImplementation(async () => ok({ probabilities, step: live.step }));
  look.mockImplementation(async () => ok({ probabilities, step: live.step, layers: [] } as unknown as Look));
  const shown = () => usePad.getState().prediction;
  const state = (runId: number, step: number) => {
    emit({ type: 'state', runId, state: 'training', step, epoch: 0 });
    useApp.setState({ runId, runState: 'training' });
    live.setPosition(step, 0);
  };
  const steps = (step: number) => {
    live.setPosition(step, 0);
    emit({ type: 'steps', runId: 1, columns: [], rows: new Float64Array() });
  };
  useApp.setState({ datasets: [dataset], runConfig: { dataset: 'digits' } as never });
  showOnPad(new Uint8Array(4), [1, 2, 2]);
  showMaps(['conv1', 'fc1']);
  state(1, 0);
  // What the picture needs is not compiled before the first step.
  await expect.poll(shown).toMatchObject({ step: 0 });
  expect(look).not.toHaveBeenCalled();

  asked.mockClear();
  predict.mockClear();
  for (const step of [1, 5, 9]) {
    steps(step);
    await expect.poll(shown).toMatchObject({ step, layers: [] });
  }
  // It names the maps, and no layer: the worker adds the first filters, also to the first frame.
  expect(look.mock.calls.map(([request]) => Object.keys(request))).toEqual(
    Array.from({ length: 3 }, () => ['image', 'maps']),
  );
  expect(asked).toHaveBeenCalledTimes(3);
  expect(predict).not.toHaveBeenCalled();

  // Without a picture in view, the activations are not computed.
  showMaps(undefined);
  steps(12);
  await expect.poll(shown).toEqual({ probabilities, step: 12 });
  expect(look).toHaveBeenCalledTimes(3);

  // An answer that is late shows nothing of the run before.
  let answer: (late: Awaited<ReturnType<typeof predict>>) => void = () => undefined;
  predict.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)) as never);
  predict.mockClear();
  steps(15);
  await expect.poll(() => predict.mock.calls.length).toBe(1);
  state(2, 0);
  expect(shown()).toBeUndefined();
  answer(ok({ probabilities, step: 15 }));
  await expect.poll(shown).toMatchObject({ step: 0 });
});
