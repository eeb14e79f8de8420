import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { count } from '../../base/testing/tier.ts';
import { NO_AUGMENTATION, parseAugmentation } from '../../base/augmentation.ts';
import { VERSION } from '../../base/version.ts';
import { readDataset } from '../../cli/data.ts';
import { datasetChecksum } from '../../data/checksum.ts';
import { selectImages } from '../../data/select.ts';
import { linesOf, wgrad } from '../../cli/testing/program.ts';
import { Failure } from '../../base/result.ts';
import { openNodeDevice } from '../../node/gpu.ts';
import { datasets } from '../../data/catalogue.ts';
import type { Dataset } from '../../data/dataset.ts';
import type { TuningResults } from '../../engine/ops/conv/choice/tuning-results.ts';
import { DeviceSupply } from '../../gpu/supply.ts';
import { unpackRows } from '../../run/metrics/rows.ts';
import type { RunConfig, WorkerEvent } from '../api.ts';
import { OpfsFileStore } from '../../storage/opfs.ts';
import { RunLocks } from '../../storage/run-locks.ts';
import { FakeDirectory, FakeLocks, type FakeFile } from '../../storage/testing.ts';
import { EventSender } from '../events.ts';
import { ExclusiveGpu } from '../exclusive-gpu.ts';
import { predictNext } from '../predict/next.ts';
import { RunStore } from '../runs/store.ts';
import { recomputeRun } from '../../train/recompute-run.ts';
import type { Datasets } from '../data/datasets.ts';
import type { Lesson } from '../../lessons/format.ts';
import { NO_PROGRESS } from '../../lessons/progress.ts';
import { readSubmission } from '../../lessons/submission.ts';
import { writeSubmission } from '../submission/write.ts';
import { GPU_TASKS } from '../../run/gpu-tasks.ts';
import { presets, settingsOf } from '../../run/presets.ts';
import { completed } from '../../run/settings/rules.ts';
import { trainedNetworks } from '../../run/trained.ts';
import { readWeights } from '../runs/weights.ts';
import { RunConfigurations } from './run-configurations.ts';
import { Runs } from './runs.ts';

const supply = new DeviceSupply(() => openNodeDevice());
let digits: Promise<Dataset> | undefined;
let sent: WorkerEvent[];
let runs: Runs;
let store: RunStore;
let files: FakeDirectory;

beforeEach(() => {
  files = new FakeDirectory();
  ({ runs, store } = visit());
});

/** A visit of the page; kept runs persist between visits. @param locks those of a tab that is still open */
function visit(locks = new FakeLocks()): { runs: Runs; store: RunStore } {
  sent = [];
  // What an earlier test still writes belongs into its own folder.
  const { handle } = files;
  const events = new EventSender();
  events.listen({ postMessage: (event) => sent.push(event) });
  const own = new RunStore({
    open: async () => ({
      files: new OpfsFileStore(async () => handle),
      locks: new RunLocks(locks.manager),
      channel: { postMessage: () => undefined, addEventListener: () => undefined },
    }),
    send: (event) => events.send(event),
  });
  const facts = () => ({ model: 'LeNet-5', dataset: 'digits', classes: [], adapter: '', software: false });
  return { runs: new Runs({ supply, events, settings, store: own, facts, shipped }), store: own };
}
const shipped = async (name: string) => {
  const { file } = trainedNetworks.get(name);
  return readWeights(name, readFileSync(join('public', file)));
};
const settings = new RunConfigurations({
  supply,
  dataset: () => (digits ??= fewToTest()),
  known: async () => () => ({ entry: () => undefined }),
});
/** What the network answers that a run with these settings would start from. */
const answerOfNext = (next: RunConfig, image: Uint8Array = new Uint8Array(784)) =>
  predictNext({ runs, settings, supply, gpu: idleGpu, tuningResults }, next, image);
const idleGpu = { requireIdle: () => undefined } as ExclusiveGpu;
const tuningResults = { known: () => ({ entry: () => undefined }) } as unknown as TuningResults;
/** The digits, with 50 test images, which a software GPU evaluates quickly. */
async function fewToTest(): Promise<Dataset> {
  const set = await readDataset(datasets.get('digits'));
  const { images, labels } = set.test!;
  const few = { images: images.slice(0, 50 * 784), labels: labels.slice(0, 50), count: 50 };
  return { ...set, test: few };
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
  await runs.pause();
  await runs.stop();
  expect(sent).toEqual([]);
});

test('steps, restart, stop and another run: each has its own number, and equal seeds give equal losses', async () => {
  await runs.stepBatch(config);
  await runs.stepBatch(config);
  const [first, second] = [1, 2].map((step) => [
    `1 training ${step - 1}`,
    `1 saving ${step}`,
    `1 paused ${step}`,
  ]);
  expect(states()).toEqual(['1 preparing 0', ...first, ...second]);

  await runs.restart(config);
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

test('the preset that diverges does so within a few steps, whatever the seed', async () => {
  const preset = presets.get('lenet5-diverges');
  for (let seed = 1; seed <= count(2, 10, 10); seed++) {
    await runs.train({ ...settingsOf(preset), seed, model: preset.model, dataset: preset.dataset });
    await runs.run.settled();
    const failed = sent.findLast(({ type }) => type === 'state');
    const message = expect.stringContaining('diverged at step 3:');
    expect(failed).toMatchObject({ state: 'failed', step: 3, error: { code: 'diverged', message } });
    expect(losses()[runs.id]).toHaveLength(3);
    await runs.stop();
  }
});

test('the preset that diverges is rescued: of three rates the best is taken, and the network learns', async () => {
  const preset = presets.get('lenet5-diverges');
  await runs.train({ ...settingsOf(preset), model: preset.model, dataset: preset.dataset });
  await runs.run.settled();
  const rescue = await runs.rescue();
  expect(rescue).toMatchObject({ from: 0, steps: 20, guessing: expect.closeTo(Math.log(10), 3) });
  expect(rescue.tries.map(({ lr }) => lr)).toEqual([0.15, 0.05, 0.005]);
  const best = rescue.tries.find(({ lr }) => lr === rescue.config?.lr);
  expect(best?.helps).toBe(true);
  expect(best?.loss).toBe(Math.min(...rescue.tries.map(({ loss }) => loss)));
  expect(best?.loss).toBeLessThan(rescue.before);
  await expect.poll(() => runs.run.steps).toBeGreaterThan(110);
  await runs.stop();
  // The steps of the tries were none of the run's.
  const after = losses()[runs.id];
  expect(after.length).toBe(runs.run.steps);
  const end = after.slice(-10).reduce((sum, loss) => sum + loss / 10, 0);
  expect(end).toBeLessThan(1.9);
  expect(sent.filter(({ type }) => type === 'trouble')).toEqual([]);
});

test('a run whose loss stays above guessing is reported; where no rate helps, it stays as it was, paused', async () => {
  const stuck = { ...config, batchSize: 64, optimizer: 'sgd' as const, lr: 20 };
  await runs.train(stuck);
  await expect.poll(() => sent.some(({ type }) => type === 'trouble')).toBe(true);
  const found = sent.find((event) => event.type === 'trouble');
  expect(found?.trouble?.loss).toBeGreaterThan(1.02 * Math.log(10));
  await runs.stop();

  // Weights that cannot change learn at no rate.
  await runs.stepBatch({ ...stuck, freeze: ['conv1', 'conv2', 'fc1', 'fc2', 'fc3'] });
  const weights = await runs.run.stateDict();
  const none = await runs.rescue();
  expect(none.config).toBe(undefined);
  expect(none.tries.map(({ helps }) => helps)).toEqual([false, false, false]);
  expect(runs.run.state).toBe('paused');
  expect(runs.run.steps).toBe(1);
  expect(await runs.run.stateDict()).toEqual(weights);
  await runs.stop();
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
  await runs.pause();
  expect(states().slice(-4)).toEqual(['1 stopped 1', '1 training 1', '1 saving 2', '1 paused 2']);
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
  // The user's own are in no list.
  expect(await settings.memory({ ...config, dataset: 'own' })).toMatchObject({ fits: true });
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

test('a run resumes in another visit with the same losses and its whole curve, and does not start by itself', async () => {
  expect(await store.offered()).toBeUndefined();
  await expect(runs.resume('run')).rejects.toMatchObject({ code: 'not-found' });
  const kept = { ...config, record: 'run' };
  for (let step = 0; step < 3; step++) await runs.stepBatch(kept);
  await runs.written();
  expect(savedSteps().at(-1)).toBe(3);
  for (let step = 0; step < 3; step++) await runs.stepBatch(kept);
  await runs.written();
  const whole = losses()[1];
  // The last checkpoint is damaged: the previous one is used, and that is reported.
  const folder = files.children.get('run') as FakeDirectory;
  (folder.children.get('checkpoint.safetensors') as FakeFile).content[1000] ^= 1;
  await runs.stop();

  ({ runs, store } = visit());
  const entry = await store.offered();
  expect(entry).toMatchObject({ id: 'run', epoch: 0, model: 'LeNet-5', dataset: 'digits' });
  expect(entry?.skipped[0].message).toMatch(/was altered/);
  const from = entry?.step ?? NaN;
  expect(from).toBeLessThan(6);
  expect(sent.filter(({ type }) => type === 'state')).toEqual([]);
  expect(await runs.resume('run')).toEqual(kept);
  await runs.pause();
  while (runs.run.steps < 6) await runs.stepBatch(kept);
  expect(losses()[1].slice(0, 6 - from)).toEqual(whole.slice(from));
  expect(sent.filter(({ type }) => type === 'choices')).toHaveLength(1);
  // The page gets the curve up to the checkpoint; the store has it to the end.
  const past = sent.find((event) => event.type === 'history');
  expect([...(past?.points.step ?? [])]).toEqual(whole.slice(0, from).map((_, i) => i + 1));
  await runs.stop();
  await runs.written();
  const { step, loss } = await store.files.curves('run');
  expect([...step]).toEqual(whole.map((_, i) => i + 1));
  expect(loss).toEqual(Float32Array.from(whole));
  expect((await store.all()).runs).toHaveLength(1);
  // In this visit it resumes at once.
  expect(await runs.resume('run')).toEqual(kept);
  await runs.stop();
  await runs.written();
  await runs.train({ ...config, seed: 9 });
  await runs.stop();
  await (await store.trash()).delete(['run']);
  expect((await store.all()).runs.map(({ id }) => id)).not.toContain('run');
});

test('a run on selected images has the losses of the command line, also if it resumes or rolls back', async () => {
  const selecting: RunConfig = {
    ...{ ...config, record: 'selecting', validation: 0.01, trainImages: 20, wrongLabels: 0.3 },
    classWeights: 'balanced',
  };
  for (let step = 0; step < 3; step++) await runs.stepBatch(selecting);
  await runs.evaluate();
  expect(sent.findLast(({ type }) => type === 'evaluation')).toMatchObject({
    evaluation: { validationLoss: expect.any(Number), validationAccuracy: expect.any(Number) },
  });
  expect(runs.run.config.dataset.validation?.count).toBe(100);
  await runs.stop();
  await runs.written();

  ({ runs, store } = visit());
  await runs.resume('selecting');
  await runs.pause();
  while (runs.run.steps < 6) await runs.stepBatch(selecting);
  const { out } = await wgrad(
    ...['train', '--model', 'lenet5', '--dataset', 'digits', '--batch-size', '4', '--steps', '6'],
    ...['--validation', '0.01', '--train-images', '20', '--wrong-labels', '0.3'],
    ...['--class-weights', 'balanced'],
  );
  const there = linesOf<{ step?: number; loss: number }>(out).filter(({ step = 0 }) => step > 3);
  expect(losses()[1].slice(0, 3)).toEqual(there.map(({ loss }) => loss));
  const { train } = runs.run.config.dataset;
  await runs.rollBack(1e-4);
  await runs.pause();
  expect(runs.run.config.dataset.train).toEqual(train);
  await runs.stop();
});

test('a run that is resumed while it trains continues from its current step, with its whole curve', async () => {
  const kept = { ...config, record: 'run' };
  await runs.stepBatch(kept);
  await runs.train(kept);
  while (losses()[1].length < 3) await new Promise((done) => setTimeout(done));
  const { steps } = runs.run;
  await runs.resume('run');
  const past = sent.findLast((event) => event.type === 'history');
  await runs.stop();
  await runs.written();
  expect(past?.points.step.length).toBeGreaterThanOrEqual(steps);
  const { step } = await store.files.curves('run');
  expect([...step]).toEqual(Array.from(step, (_, i) => i + 1));
  expect(step).toHaveLength((await store.files.checkpoint('run'))!.value.step);
});

test('a run is paused when its checkpoint is written, not before', async () => {
  await runs.stepBatch({ ...config, record: 'run' });
  await runs.stepBatch({ ...config, record: 'run' });
  const order = sent.flatMap((event) => {
    if (event.type === 'state') return [event.state];
    return event.type === 'checkpoint' ? [`written ${event.step}`] : [];
  });
  expect(order.slice(-4)).toEqual(['training', 'saving', 'written 2', 'paused']);
  // Another visit, at this moment.
  expect(await visit().store.offered()).toMatchObject({ step: 2 });
  await runs.stop();
});

test('a restart is another run, and both are kept', async () => {
  await runs.stepBatch({ ...config, record: 'run' });
  await runs.stepBatch({ ...config, record: 'run' });
  await runs.restart(config);
  await runs.pause();
  await runs.stop();
  await runs.written();
  const [first, second] = (await store.all()).runs;
  expect(first).toMatchObject({ id: 'run', state: 'stopped', step: 2, checkpoint: { step: 2 }, live: null });
  expect(second).toMatchObject({ number: 2, state: 'stopped', live: 'here' });
  expect(second.parent).toEqual({ id: 'run', name: first.name });
});

test('a kept run is forked with the state of its optimiser', async () => {
  await runs.stepBatch({ ...config, record: 'run' });
  await runs.stepBatch({ ...config, record: 'run' });
  const { snapshot } = runs.run.checkpoint!;
  await runs.stop();
  await runs.written();
  ({ runs, store } = visit());
  const saved = await store.files.checkpoint('run');
  runs.starts.hold('held', saved!.value);
  const start = { id: 'held', run: 'run', name: 'it', step: 2 };
  await runs.stepBatch({ ...config, lr: 0.01, start });
  expect(runs.run.config.fork).toEqual({ snapshot, steps: 2 });
  expect((await store.files.weights('run')).step).toBe(2);
  await runs.stop();
});

test('storage that is cleared while a run trains gets the whole run again', async () => {
  const kept = { ...config, record: 'run' };
  for (let step = 0; step < 3; step++) await runs.stepBatch(kept);
  await runs.written();
  files.children.clear();
  await runs.stepBatch(kept);
  await runs.written();
  // Also what has not changed since it was written.
  files.children.clear();
  await runs.stop();
  await runs.written();
  ({ runs, store } = visit());
  expect(await store.get('run')).toMatchObject({ step: 4, checkpoint: { step: 4 } });
  expect([...(await store.files.curves('run')).step]).toEqual([1, 2, 3, 4]);
});

test('a run that was stopped is deleted, and kept again, whole, if it resumes', async () => {
  await runs.stepBatch({ ...config, record: 'run' });
  await runs.letGo(['run']);
  await expect((await store.trash()).delete(['run'])).rejects.toMatchObject({ code: 'busy' });
  await runs.stop();
  await runs.letGo(['run']);
  await (await store.trash()).delete(['run']);
  expect((await store.all()).runs).toEqual([]);
  await runs.resumeStopped();
  while (runs.run.steps < 3) await new Promise((done) => setTimeout(done));
  await runs.stop();
  await runs.written();
  expect((await store.all()).runs).toMatchObject([{ id: 'run', live: 'here' }]);
  const { step } = await store.files.curves('run');
  expect([...step]).toEqual(Array.from({ length: runs.run.steps }, (_, i) => i + 1));
});

test('a run that was let go and that another tab has resumed does not resume here', async () => {
  const locks = new FakeLocks();
  const [one, other] = [visit(locks), visit(locks)];
  await one.runs.stepBatch({ ...config, record: 'run' });
  await one.runs.stop();
  await one.runs.letGo(['run']);
  await other.store.all();
  await other.runs.resume('run');
  await other.runs.pause();
  await expect(one.runs.resumeStopped()).rejects.toMatchObject({ code: 'busy' });
  await other.runs.stop();
});

test('two tabs that train at the same time each keep a run, see the other one as live, and resume only their own', async () => {
  const locks = new FakeLocks();
  const [one, other] = [visit(locks), visit(locks)];
  const first = { ...config, record: 'first' };
  const second = { ...config, record: 'second', seed: 2 };
  for (let step = 0; step < 3; step++) {
    await one.runs.stepBatch(first);
    await other.runs.stepBatch(second);
    await Promise.all([one.runs.written(), other.runs.written()]);
  }
  expect(await one.store.offered('first')).toMatchObject({ id: 'first', step: 3, skipped: [] });
  expect(await other.store.offered('second')).toMatchObject({ id: 'second', step: 3, skipped: [] });
  const third = visit(locks);
  expect((await third.store.all()).runs.map(({ id, live }) => [id, live])).toEqual([
    ['first', 'elsewhere'],
    ['second', 'elsewhere'],
  ]);
  await expect(third.runs.resume('first')).rejects.toMatchObject({
    message: expect.stringContaining('in another tab'),
  });
  await expect((await third.store.trash()).delete(['first'])).rejects.toMatchObject({ code: 'busy' });
  for (const tab of [one, other]) {
    await tab.runs.stop();
    await tab.runs.written();
  }

  // Both are closed: the newer one is offered, unless the older is requested.
  ({ runs, store } = visit(locks.closed()));
  expect(await store.offered()).toMatchObject({ id: 'second' });
  expect(await store.offered('first')).toMatchObject({ id: 'first' });
  const next = visit(locks);
  expect(await next.store.offered('first')).toMatchObject({ id: 'second' });
  expect(await runs.resume('first')).toEqual(first);
  await Promise.all([runs.stop(), next.runs.stop()]);
});

test('a refusal of storage is reported, and does not end the run', async () => {
  files.faults.onWrite = new DOMException('quota', 'QuotaExceededError');
  await runs.stepBatch(config);
  await runs.stepBatch(config);
  await runs.written();
  const errors = sent.flatMap((event) => (event.type === 'checkpoint' && event.error ? [event.error] : []));
  expect(errors[0]).toMatchObject({ code: 'storage', message: expect.stringContaining('it is full') });
  expect(states().at(-1)).toBe('1 paused 2');
  await runs.stop();
});

test('a run that diverged resumes from its last checkpoint with a smaller learning rate', async () => {
  await runs.stepBatch(config);
  await runs.stepBatch(config);
  await runs.written();
  const id = (await store.all()).runs[0].id;
  const wild = { ...config, lr: 1e37, record: id };
  await expect(runs.resume(id)).resolves.toEqual({ ...config, record: id });
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
  expect(sent.find((event) => event.type === 'adjusted')).toEqual({
    type: 'adjusted',
    runId: 1,
    start: expect.objectContaining({ lr: 0.001, augmentation: NO_AUGMENTATION, patience: undefined }),
    adjustments: [{ step: 1, lr: 0.01, augmentation, patience: 2 }],
  });
  await runs.stepBatch(changed);
  expect(runs.run.steps).toBe(2);
  await runs.stop();
});

test('a run that is repeated is as long as its changes make it', async () => {
  const short = { ...config, trainImages: 16, epochs: 1 };
  await runs.restart(short, [{ step: 4, epochs: 2 }]);
  await runs.run.settled();
  expect(states().at(-1)).toBe('1 paused 8');
  expect(runs.run.changes).toMatchObject({ start: { epochs: 1 }, adjustments: [{ step: 4, epochs: 2 }] });
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
    await runs.restart(child);
    await runs.stepBatch(child);
    await runs.stop();
    await runs.restart(child);
    await runs.stepBatch(child);
    const reported = losses();
    expect(reported[3][0]).toBe(reported[2][0]);
    expect(reported[4][0]).toBe(reported[2][0]);
    await runs.stop();
  });

  test('starts there also in another visit, and reports if that state is lost', async () => {
    await parent();
    await runs.stepBatch(child);
    await runs.written();
    const [first] = losses()[2];
    ({ runs, store } = visit());
    const { id } = (await store.all()).runs.at(-1)!;
    expect(await runs.resume(id)).toEqual({ ...child, record: id });
    await runs.pause();
    await runs.restart(child);
    await runs.stepBatch(child);
    expect(losses()[2][0]).toBe(first);
    await runs.stop();
    await runs.restart(child);
    await runs.stepBatch(child);
    expect(losses()[3][0]).toBe(first);
    await runs.pause();

    delete runs.run.config.fork;
    await expect(runs.restart(child)).rejects.toMatchObject({ code: 'not-found' });
    expect(runs.run.state).toBe('paused');
    await runs.stop();
  });

  test('starts from the weights that the page comes with, and normalises as they were trained', async () => {
    const trained = { ...config, initialWeights: 'lenet5-mnist', freeze: ['conv1', 'conv2'] };
    // Before there is a run, the network that it is to start from answers.
    const { images, labels } = (await fewToTest()).test!;
    const { probabilities, step } = await answerOfNext(trained, images.slice(0, 784));
    expect([probabilities.indexOf(Math.max(...probabilities)), step]).toEqual([labels[0], 0]);
    await runs.stepBatch(trained);
    const { parameters, normalisation } = await shipped('lenet5-mnist');
    const learnt = await runs.run.stateDict();
    for (const name of ['conv1.weight', 'conv2.bias']) expect(learnt.get(name)).toEqual(parameters.get(name));
    expect(learnt.get('fc3.weight')?.data).not.toEqual(parameters.get('fc3.weight')?.data);
    expect(runs.run.config.dataset).toMatchObject(normalisation!);
    expect(losses()[1][0]).toBeLessThan(1);
    expect(sent.find(({ type }) => type === 'begun')).toMatchObject({
      rows: [
        { name: 'conv1.weight', status: 'taken' },
        ...Array.from({ length: 9 }, () => ({ status: 'taken' })),
      ],
    });
    await runs.stop();
    await expect(runs.train({ ...config, initialWeights: 'alexnet' })).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  test('starts from weights in a file, with an initial optimiser state', async () => {
    await parent();
    const learnt = await runs.run.stateDict();
    const { parameters } = runs.run.checkpoint!.snapshot;
    await runs.stop();
    runs.starts.bring('file', { name: 'a file', parameters: learnt });
    const wrong = { ...child, model: 'mlp', start: { ...start, id: 'file' } };
    await expect(runs.train(wrong)).rejects.toMatchObject({
      message: expect.stringMatching(
        /weights of a file, which do not fit Multilayer perceptron: 1 of 6 parameters agree/,
      ),
    });
    const partly = new Map([...learnt].filter(([name]) => name !== 'fc3.bias'));
    runs.starts.bring('part', { name: 'a part', parameters: partly });
    await expect(answerOfNext({ ...child, start: { ...start, id: 'part' } })).rejects.toMatchObject({
      message: 'The next run’s fc3.bias is new and untrained. Select Train.',
    });
    runs.starts.bring('file', { name: 'a file', parameters: learnt });
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
  await runs.restart(config);
  await runs.pause();
  expect(() => runs.requireEvaluated()).toThrow('has not been tested');
  await runs.stop();
});

describe('a run that a task pauses, whichever it is,', () => {
  const begun = async (changed: Partial<RunConfig> = {}) => {
    runs.setPace(100);
    await runs.train({ ...config, ...changed });
    await expect.poll(() => runs.run.steps).toBeGreaterThan(0);
    return new ExclusiveGpu(runs, () => undefined);
  };

  test('resumes when the task ends, fails or is cancelled', async () => {
    const gpu = await begun();
    for (const task of GPU_TASKS) {
      await gpu.run(task, async () => expect(runs.run.state).toBe('paused'));
      expect(runs.run.isTraining).toBe(true);
      const failing = gpu.run(task, () => Promise.reject(new Failure('unsupported', 'no')));
      await expect(failing).rejects.toThrow('no');
      expect(runs.run.isTraining).toBe(true);
      const cancelled = gpu.run(task, async (signal) => {
        gpu.cancel();
        if (signal.aborted) throw new Failure('cancelled', 'Stopped.');
      });
      await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
      expect(runs.run.isTraining).toBe(true);
    }
    const resumes = sent.flatMap((event) => (event.type === 'interrupted' ? [event.resumes] : []));
    expect(resumes).toEqual(GPU_TASKS.flatMap(() => [true, false, true, false, true, false]));
    await runs.stop();
  });

  test('stays paused if a person pauses it meanwhile, and stopped if they stop it', async () => {
    const gpu = await begun();
    for (const task of GPU_TASKS) {
      await gpu.run(task, () => runs.pause());
      expect([runs.run.state, runs.run.isTraining]).toEqual(['paused', false]);
      // Nor does one that was paused before.
      await gpu.run(task, async () => undefined);
      expect(runs.run.isTraining).toBe(false);
      await runs.train(config);
      await gpu.run(task, () => runs.stop());
      expect(runs.run.state).toBe('stopped');
      await runs.resumeStopped();
    }
    await runs.stop();
  });

  test('does not begin again if it had finished', async () => {
    const gpu = await begun({ batchSize: 1000, epochs: 1 });
    runs.setPace(Infinity);
    await expect.poll(() => runs.run.state).toBe('paused');
    const before = states().length;
    for (const task of GPU_TASKS) await gpu.run(task, async () => undefined);
    expect(states().slice(before)).toEqual([]);
    await runs.stop();
  });
});

test('a run that two tasks pause resumes after the later one', async () => {
  runs.setPace(100);
  await runs.train(config);
  await expect.poll(() => runs.run.steps).toBeGreaterThan(0);
  await runs.whilePaused(async () => {
    await runs.whilePaused(async () => undefined);
    expect(runs.run.isTraining).toBe(false);
  });
  expect(runs.run.isTraining).toBe(true);
  await runs.stop();
});

test('a run whose settings were changed while it trained is submitted with them, and comes out again', async () => {
  await runs.stepBatch(config);
  await runs.adjust({ lr: 0.02 });
  for (let i = 0; i < 2; i++) await runs.stepBatch({ ...config, lr: 0.02 });
  const get = () => settings.dataset(config.dataset);
  const kept = { datasets: { get } as unknown as Datasets, runs, store };
  const lesson = { tasks: [{}, {}], texts: { title: 'Loss' } } as Lesson;
  const evidence = { record: store.index.visible[0].id, seed: 1, step: 3, engine: 'cpu' } as const;
  const at = '2026-03-01T12:00:00.000Z';
  const done = [{ at, values: [], run: evidence }, null];
  const progress = { ...NO_PROGRESS, began: at, prediction: 2, done };
  const text = await writeSubmission(kept, { id: 'loss', lesson, progress, name: '' });
  const read = await readSubmission('loss.json', text);
  if (!read.ok) throw new Error(read.error.message);
  expect(read.value).toMatchObject({ wgrad: VERSION, prediction: 2, done: [{ at, run: 0 }, null] });
  const [run] = read.value.runs;
  expect(run).toMatchObject({ steps: 3, settings: { lr: config.lr }, adjustments: [{ step: 1, lr: 0.02 }] });
  const tools = { supply, dataset: get, checksum: datasetChecksum, select: selectImages, weights: shipped };
  expect(await recomputeRun(run, VERSION, undefined, tools)).toEqual({
    how: 'confirmed',
    steps: 3,
    compared: 3,
  });
  // Without the change it would not.
  const other = await recomputeRun({ ...run, adjustments: [] }, VERSION, undefined, tools);
  expect(other).toMatchObject({ how: 'differs', what: 'loss', step: 3 });
});
