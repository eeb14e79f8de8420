import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { NO_AUGMENTATION, parseAugmentation } from '../../base/augmentation.ts';
import { readDataset } from '../../cli/data.ts';
import { openNodeDevice } from '../../node/gpu.ts';
import { datasets } from '../../data/catalogue.ts';
import type { Dataset } from '../../data/dataset.ts';
import { DeviceSupply } from '../../gpu/supply.ts';
import { unpackRows } from '../../run/metrics/rows.ts';
import type { RunConfig, WorkerEvent } from '../api.ts';
import { CheckpointSlots } from '../../storage/checkpoint-slots.ts';
import { RunPlaces } from '../../storage/run-places.ts';
import { FakeDirectory, FakeLocks, type FakeFile } from '../../storage/testing.ts';
import { EventSender } from '../events.ts';
import { SavedRuns } from './saved-runs.ts';
import { presets, settingsOf } from '../../run/presets.ts';
import { completed } from '../../run/settings/rules.ts';
import { RunSettings } from './run-settings.ts';
import { Runs } from './runs.ts';

const supply = new DeviceSupply(() => openNodeDevice());
let digits: Promise<Dataset> | undefined;
let sent: WorkerEvent[];
let runs: Runs;
let savedRuns: SavedRuns;
let files: FakeDirectory;

beforeEach(() => {
  files = new FakeDirectory();
  ({ runs, savedRuns } = visit());
});

/** A visit of the page; saved runs persist between visits. @param locks those of a tab that is still open */
function visit(locks = new FakeLocks()): { runs: Runs; savedRuns: SavedRuns } {
  sent = [];
  const events = new EventSender();
  events.listen({ postMessage: (event) => sent.push(event) });
  const own = new SavedRuns({
    open: async () => new RunPlaces(files.handle, locks.manager),
    onWritten: ({ step }) => events.send({ type: 'checkpoint', runId: 0, step }),
    onFailure: ({ value }) => events.send({ type: 'checkpoint', runId: 0, step: 0, error: value }),
  });
  return { runs: new Runs({ supply, events, settings, savedRuns: own }), savedRuns: own };
}
const settings = new RunSettings({
  supply,
  dataset: () => (digits ??= fewToTest()),
  known: async () => () => ({ entry: () => undefined }),
});
/** The digits, with 50 test images, which a software GPU evaluates quickly. */
async function fewToTest(): Promise<Dataset> {
  const set = await readDataset(datasets.get('digits'));
  const { images, labels } = set.test!;
  const count = 50;
  return { ...set, test: { images: images.slice(0, count * 784), labels: labels.slice(0, count), count } };
}
afterAll(async () => (await supply.get()).destroy());

const config: RunConfig = { ...completed({ batchSize: 4 }), model: 'lenet5', dataset: 'digits' };

const states = () =>
  sent.flatMap((event) => (event.type === 'state' ? [`${event.runId} ${event.state} ${event.step}`] : []));

/** Losses by run, in order. */
function losses(): Record<number, number[]> {
  const found: Record<number, number[]> = {};
  for (const event of sent) {
    if (event.type !== 'steps') continue;
    for (const { loss } of unpackRows(event.rows, event.columns)) (found[event.runId] ??= []).push(loss);
  }
  return found;
}

test('before the first run there is no model, and pause and stop do nothing', async () => {
  await expect(runs.predict(new Uint8Array(784))).rejects.toMatchObject({ code: 'not-found' });
  await expect(runs.restart()).rejects.toMatchObject({ code: 'not-found' });
  await runs.pause();
  await runs.stop();
  expect(sent).toEqual([]);
});

test('steps, restart, stop and another run: each has its own number, and equal seeds give equal losses', async () => {
  await runs.stepBatch(config);
  await runs.stepBatch(config);
  expect(states()).toEqual(['1 preparing 0', '1 training 0', '1 paused 1', '1 training 1', '1 paused 2']);

  await runs.restart();
  await runs.pause();
  expect(states().at(-1)).toMatch(/^2 paused/);
  await runs.stepBatch(config);
  await runs.stop();
  const { step, probabilities } = await runs.predict(new Uint8Array(784));
  expect(states().at(-1)).toBe(`2 stopped ${step}`);
  expect(probabilities).toHaveLength(10);

  await runs.stepBatch(config);
  expect(states().at(-1)).toBe('3 paused 1');
  // Other settings are another run.
  await runs.stepBatch({ ...config, seed: 2 });
  expect(states().at(-1)).toBe('4 paused 1');
  const byRun = losses();
  expect(byRun[1]).toHaveLength(2);
  expect(byRun[2][0]).toBe(byRun[1][0]);
  expect(byRun[3][0]).toBe(byRun[1][0]);
  expect(byRun[4][0]).not.toBe(byRun[1][0]);
  await runs.stop();
});

test('the preset that diverges fails in its first epoch', async () => {
  const preset = presets.get('lenet5-diverges');
  await runs.train({ ...settingsOf(preset), model: preset.model, dataset: preset.dataset });
  await runs.run.settled();
  expect(sent.findLast(({ type }) => type === 'state')).toMatchObject({
    state: 'failed',
    epoch: 0,
    error: { code: 'diverged' },
  });
});

test('a run that was stopped resumes under its number, at the pace of the page', async () => {
  await expect(runs.resumeStopped()).rejects.toMatchObject({ code: 'not-found' });
  runs.setPace(0.001);
  await runs.train(config);
  await expect.poll(() => losses()[1]?.length).toBe(1);
  await runs.stop();
  await runs.resumeStopped();
  await expect.poll(() => losses()[1]?.length).toBe(2);
  // It waits for its pace.
  expect(await runs.pause()).toBe(true);
  expect(states().slice(-3)).toEqual(['1 stopped 1', '1 training 1', '1 paused 2']);
  await runs.stop();
});

test('simultaneous commands are carried out in order', async () => {
  await Promise.all([
    runs.train(config),
    runs.stop(),
    runs.train({ ...config, seed: 5 }),
    runs.pause(),
    runs.stepBatch({ ...config, seed: 5 }),
  ]);
  const all = states();
  expect(all.at(-1)).toMatch(/^2 paused/);
  expect(all.filter((state) => state.startsWith('1')).every((state) => !state.includes('training 1'))).toBe(
    true,
  );
  await runs.stop();
});

test('invalid settings are refused, and the open run stays', async () => {
  await runs.stepBatch(config);
  await expect(runs.train({ ...config, batchSize: 0 })).rejects.toMatchObject({ code: 'bad-input' });
  await runs.stepBatch(config);
  expect(states().at(-1)).toBe('1 paused 2');
  await runs.stop();
});

test('the memory of a run is reported before it starts, and the largest batch once memory has run out', async () => {
  const { ledger } = await supply.get();
  const { made } = ledger;
  const memory = await settings.memory(config);
  expect(memory).toMatchObject({ fits: true, recomputed: 0 });
  // A float per parameter, plus alignment.
  const gradients = memory.fits ? memory.kinds.gradients : 0;
  expect(gradients).toBeGreaterThanOrEqual(61706 * 4);
  expect(gradients).toBeLessThan(61706 * 4 * 1.02);
  // Data sets that are not downloaded still have known sizes.
  expect(await settings.memory({ ...config, dataset: 'mnist' })).toMatchObject({ fits: true });
  if (!memory.fits) return;
  ledger.tooMuch = memory.bytes - 1;
  const less = await settings.memory({ ...config, batchSize: 400 });
  const { largestBatch = 0 } = less.fits ? {} : less;
  expect(largestBatch).toBe(3);
  expect(await settings.memory({ ...config, batchSize: largestBatch })).toMatchObject({ fits: true });
  ledger.tooMuch = undefined;
  expect(ledger.made).toBe(made);
});

const savedSteps = () => sent.flatMap((event) => (event.type === 'checkpoint' ? [event.step] : []));

test('a run resumes in another visit with the same losses, and does not start by itself', async () => {
  expect(await savedRuns.entry()).toBeUndefined();
  await expect(runs.resume('run')).rejects.toMatchObject({ code: 'not-found' });
  for (let step = 0; step < 3; step++) await runs.stepBatch(config);
  await savedRuns.done();
  expect(savedSteps().at(-1)).toBe(3);
  for (let step = 0; step < 3; step++) await runs.stepBatch(config);
  await savedRuns.done();
  const whole = losses()[1];
  // The last checkpoint is damaged: the previous one is used, and that is reported.
  const place = files.children.get('run') as FakeDirectory;
  const [{ name }] = await new CheckpointSlots(place.handle).read();
  const file = place.children.get(name) as FakeFile;
  file.content[100] ^= 1;
  await runs.stop();

  ({ runs, savedRuns } = visit());
  const entry = await savedRuns.entry();
  expect(entry).toMatchObject({ epoch: 0, model: 'LeNet-5', dataset: 'digits' });
  expect(entry?.skipped[0].message).toMatch(/was altered/);
  const from = entry?.step ?? NaN;
  expect(from).toBeLessThan(6);
  expect(sent).toEqual([]);
  expect(await runs.resume('run')).toEqual(config);
  await runs.pause();
  while (runs.run.steps < 6) await runs.stepBatch(config);
  expect(losses()[1].slice(0, 6 - from)).toEqual(whole.slice(from));
  expect(sent.filter(({ type }) => type === 'choices')).toHaveLength(1);
  await runs.stop();
  await savedRuns.done();
  await savedRuns.delete('run');
  expect(await savedRuns.entry()).toBeUndefined();
});

test('two tabs that train at the same time each save a run, and neither resumes the other one', async () => {
  const locks = new FakeLocks();
  const [one, other] = [visit(locks), visit(locks)];
  const first = { ...config, record: 'first' };
  const second = { ...config, record: 'second', seed: 2 };
  for (let step = 0; step < 3; step++) {
    await one.runs.stepBatch(first);
    await other.runs.stepBatch(second);
    await Promise.all([one.savedRuns.done(), other.savedRuns.done()]);
  }
  expect(await one.savedRuns.entry()).toMatchObject({ id: 'first', step: 3, skipped: [] });
  expect(await other.savedRuns.entry()).toMatchObject({ id: 'second', step: 3, skipped: [] });
  await expect(other.runs.resume('first')).rejects.toMatchObject({
    message: expect.stringContaining('in another tab'),
  });
  await Promise.all([one.runs.stop(), other.runs.stop()]);

  // Both are closed: the newer one is offered, unless the older is requested.
  ({ runs, savedRuns } = visit(locks.closed()));
  expect(await savedRuns.entry()).toMatchObject({ id: 'second' });
  expect(await savedRuns.entry('first')).toMatchObject({ id: 'first' });
  const next = visit(locks);
  expect(await next.savedRuns.entry('first')).toMatchObject({ id: 'second' });
  // A new run replaces the one that no tab has open.
  await next.runs.stepBatch({ ...config, record: 'third' });
  await next.savedRuns.done();
  expect([...files.children.keys()].sort()).toEqual(['first', 'third']);
  await expect(next.runs.resume('second')).rejects.toMatchObject({
    message: expect.stringContaining('no longer saved'),
  });
  expect(await runs.resume('first')).toEqual(first);
  await Promise.all([runs.stop(), next.runs.stop()]);
});

test('a refusal of storage is reported, and does not end the run', async () => {
  files.faults.onWrite = new DOMException('quota', 'QuotaExceededError');
  await runs.stepBatch(config);
  await runs.stepBatch(config);
  await savedRuns.done();
  const errors = sent.flatMap((event) => (event.type === 'checkpoint' && event.error ? [event.error] : []));
  expect(errors[0]).toMatchObject({ code: 'storage', message: expect.stringContaining('it is full') });
  expect(states().at(-1)).toBe('1 paused 2');
  await runs.stop();
});

test('a run that diverged resumes from its last checkpoint with a smaller learning rate', async () => {
  await runs.stepBatch(config);
  await runs.stepBatch(config);
  await savedRuns.done();
  const wild = { ...config, lr: 1e37 };
  await expect(runs.resume('run')).resolves.toEqual(config);
  await runs.pause();
  const { steps } = runs.run;
  await expect(runs.rollBack(1e37)).resolves.toEqual(wild);
  await runs.run.settled();
  const failed = sent.findLast((event) => event.type === 'state');
  expect(failed).toMatchObject({ state: 'failed', error: { code: 'diverged' }, lastGood: steps });
  await expect(runs.rollBack(1e-4)).resolves.toMatchObject({ lr: 1e-4 });
  await runs.pause();
  expect(states().at(-1)).toMatch(/paused/);
  expect(runs.run.steps).toBeGreaterThanOrEqual(steps);
  await runs.stop();
});

test('settings of an open run change: this is reported and applied, and it stays the same run', async () => {
  await runs.stepBatch(config);
  await expect(runs.adjust({ lr: -1 })).rejects.toMatchObject({ code: 'bad-input' });
  const augmentation = parseAugmentation('flip');
  const changed = await runs.adjust({ lr: 0.01, augmentation, patience: 2 });
  expect(changed).toEqual({ ...config, lr: 0.01, augmentation, patience: 2 });
  const start = { lr: 0.001, momentum: 0, weightDecay: 0, augmentation: NO_AUGMENTATION };
  expect(sent.find((event) => event.type === 'adjusted')).toEqual({
    type: 'adjusted',
    runId: 1,
    start,
    adjustments: [{ step: 1, lr: 0.01, augmentation }],
  });
  await runs.stepBatch(changed);
  expect(runs.run.steps).toBe(2);
  await runs.restart();
  await runs.pause();
  expect(sent.findLast((event) => event.type === 'adjusted')).toMatchObject({ runId: 2, start });
  await runs.stop();
});

describe('a fork', () => {
  const start = { id: 'held', run: 'a record', name: 'brave-otter-1', step: 2 };
  const child = { ...config, batchSize: 8, start };

  /** Two steps of a run, whose state is then held. */
  async function parent(): Promise<void> {
    await runs.stepBatch(config);
    await runs.stepBatch(config);
    expect(await runs.holdWeights('held')).toBe(2);
  }

  test('starts from the held state of the open run, also after a restart', async () => {
    await expect(runs.holdWeights('held')).rejects.toMatchObject({ code: 'not-found' });
    await parent();
    const { snapshot } = runs.run.checkpoint!;
    await expect(runs.train({ ...child, model: 'mlp' })).rejects.toMatchObject({ code: 'bad-input' });
    await expect(runs.train({ ...child, start: { ...start, id: 'other' } })).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringMatching(/brave-otter-1, step 2\) are no longer available/),
    });
    expect(runs.run.config.batchSize).toBe(4);
    await runs.stepBatch(child);
    expect(runs.run.config.fork).toEqual({ snapshot, steps: 2 });
    // Another state is held meanwhile.
    await runs.holdWeights('its own');
    await runs.restart();
    await runs.stepBatch(child);
    await runs.stop();
    await runs.restart();
    await runs.stepBatch(child);
    const reported = losses();
    expect(reported[3][0]).toBe(reported[2][0]);
    expect(reported[4][0]).toBe(reported[2][0]);
    await runs.stop();
  });

  test('starts there also in another visit, and reports if that state is lost', async () => {
    await parent();
    await runs.stepBatch(child);
    await savedRuns.done();
    const [first] = losses()[2];
    ({ runs, savedRuns } = visit());
    expect(await runs.resume('run')).toEqual(child);
    await runs.pause();
    await runs.restart();
    await runs.stepBatch(child);
    expect(losses()[2][0]).toBe(first);
    await runs.stop();
    await runs.restart();
    await runs.stepBatch(child);
    expect(losses()[3][0]).toBe(first);
    await runs.pause();

    delete runs.run.config.fork;
    await expect(runs.restart()).rejects.toMatchObject({ code: 'not-found' });
    expect(runs.run.state).toBe('paused');
    await runs.stop();
  });

  test('starts from weights in a file, with an initial optimiser state', async () => {
    await parent();
    const learnt = await runs.run.stateDict();
    const { parameters } = runs.run.checkpoint!.snapshot;
    await runs.stop();
    runs.starts.bring('file', learnt);
    const wrong = { ...child, model: 'mlp', start: { ...start, id: 'file' } };
    await expect(runs.train(wrong)).rejects.toMatchObject({
      message: expect.stringMatching(/do not fit .*: the model has no parameter/),
    });
    await runs.stepBatch({ ...child, start: { ...start, id: 'file' } });
    const { fork } = runs.run.config;
    expect(fork?.snapshot['parameters']).toEqual(parameters);
    expect(fork?.steps).toBe(0);
    await runs.stop();
  });
});

test('an evaluation on demand is reported as after an epoch; a run that trains then resumes', async () => {
  await expect(runs.evaluate()).rejects.toMatchObject({ code: 'not-found' });
  await runs.train(config);
  await runs.evaluate();
  const { step, epoch, evaluation } = runs.requireEvaluated();
  const sentLast = sent.findLast((event) => event.type === 'evaluation');
  expect(sentLast).toMatchObject({
    runId: 1,
    evaluation: { step, epoch, testAccuracy: evaluation.accuracy },
  });
  expect(evaluation.confidences).toHaveLength(50);
  expect(runs.run.state).toBe('training');
  // A run that was asked to pause, but has not yet, pauses.
  const resting = runs.pause();
  await runs.evaluate();
  await resting;
  expect(runs.run.state).toBe('paused');
  expect(runs.run.steps).toBeGreaterThanOrEqual(step);
  await runs.restart();
  await runs.pause();
  expect(() => runs.requireEvaluated()).toThrow('has not been tested');
  await runs.stop();
});
