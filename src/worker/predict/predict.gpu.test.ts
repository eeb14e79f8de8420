import { afterAll, expect, test } from 'vitest';
import { writeSafetensors } from '../../data/formats/safetensors.ts';
import { foldModel } from '../../models/file/folded.ts';
import { weightsMetadata } from '../../models/file/weights.ts';
import type { Dataset, DatasetInfo } from '../../data/dataset.ts';
import { EMPTY_OWN } from '../../data/own/info.ts';
import { TuningResults } from '../../engine/ops/conv/choice/tuning-results.ts';
import { dataset, recorded, residual, testSupply, tiny } from '../../train/testing/tiny-run.ts';
import { writeWeights } from '../runs/weights.ts';
import { predictSet } from './predict.ts';

const { supply, devices } = testSupply();
afterAll(() => {
  for (const device of devices) device.destroy();
});

// As registered models are named.
const model = { ...residual, name: 'residual' };
const info: DatasetInfo = { ...EMPTY_OWN, ...dataset, title: 'Quarters', classes: dataset.classes };
const datasets = {
  infos: () => Promise.resolve([info]),
  get: (name: string): Promise<Dataset> => {
    expect(name).toBe(dataset.name);
    return Promise.resolve(dataset);
  },
};
const results = new TuningResults(
  { read: () => Promise.resolve(undefined), update: () => Promise.resolve() } as never,
  { runtime: 'test', name: 'test', onFailure: () => undefined },
);

test('predictions of a run: now, from its weights, and folded', async () => {
  const { run } = recorded(tiny({ model }), supply);
  for (let i = 0; i < 20; i++) await run.stepOnce();
  const { accuracy, loss, predictions } = await run.evaluate('test');
  const device = await supply.get();
  const before = device.ledger.buffers;
  const done: number[] = [];
  const options = {
    device,
    known: results.known(device),
    datasets,
    run: () => run,
    signal: new AbortController().signal,
    onProgress: (count: number) => done.push(count),
  };
  const images = { dataset: dataset.name };
  const now = await predictSet({ name: 'current run' }, images, options);
  expect(now).toMatchObject({ model: 'Tiny', accuracy, labels: dataset.test.labels, skipped: [] });
  expect(now.loss).toBeCloseTo(loss, 5);
  expect(done[done.length - 1]).toBe(dataset.test.count);
  expect(device.ledger.buffers).toBe(before);

  const state = await run.stateDict();
  const same = async (bytes: Uint8Array, more = {}) => {
    const set = await predictSet({ name: 'w.safetensors', bytes, ...more }, images, options);
    expect(set.accuracy).toBe(accuracy);
    set.logits.forEach((value, i) => expect(value).toBeCloseTo(now.logits[i], 4));
  };
  await same(writeWeights(state, run.config));
  // Runs that were saved before weights contained their model.
  await same(writeSafetensors(state), { model, dataset: dataset.name });
  const folded = foldModel(run.config.model, state);
  await same(writeSafetensors(folded.parameters, weightsMetadata({ model: folded.model })));
  expect(predictions).toHaveLength(dataset.test.count);

  const bare = { name: 'w.safetensors', bytes: writeSafetensors(state) };
  await expect(predictSet(bare, images, options)).rejects.toThrow(
    'w.safetensors does not contain its model.',
  );
  const wrong = { ...bare, model: tiny().model };
  await expect(predictSet(wrong, images, options)).rejects.toThrow(/does not fit Tiny for 1 x 8 x 8 images/);
  const larger = { ...model, input: [1, 16, 16] };
  const other = { ...bare, bytes: writeSafetensors(state, weightsMetadata({ model: larger })) };
  await expect(predictSet(other, images, options)).rejects.toMatchObject({ code: 'bad-file' });
  await run.close();
});

test('it can be stopped', async () => {
  const { run } = recorded(tiny(), supply);
  await run.stepOnce();
  const device = await supply.get();
  const before = device.ledger.buffers;
  const stop = new AbortController();
  const stopped = predictSet(
    { name: 'current run' },
    { dataset: dataset.name },
    {
      device,
      known: results.known(device),
      datasets,
      run: () => run,
      signal: stop.signal,
      onProgress: () => stop.abort(),
    },
  );
  await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
  expect(device.ledger.buffers).toBe(before);
  await run.close();
});
