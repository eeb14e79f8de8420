import { afterAll, expect, test, vi } from 'vitest';
import { Failure } from '../base/result.ts';
import { VERSION } from '../base/version.ts';
import { datasetChecksum } from '../data/checksum.ts';
import { selectImages } from '../data/select.ts';
import { openDevice } from '../gpu/device.ts';
import { DeviceSupply } from '../gpu/supply.ts';
import { toJson } from '../models/file/write.ts';
import { nodeCpu } from '../node/cpu.ts';
import { submissionOf, submissionText, readSubmission, type SubmittedRun } from '../lessons/submission.ts';
import { packLosses, unpackLosses } from '../lessons/losses.ts';
import { recomputeRun, type RecomputeTools } from './recompute-run.ts';
import type { TrainingConfig } from './config.ts';
import { dataset, recorded, tiny } from './testing/tiny-run.ts';

const STEPS = 20;

const supplies = [1, 2].map((threads) => {
  vi.stubEnv('WGRAD_THREADS', String(threads));
  const cpu = nodeCpu();
  vi.unstubAllEnvs();
  return new DeviceSupply(() => openDevice(cpu));
});
const onThreads = (count: number) => supplies[count - 1];
afterAll(async () => {
  for (const supply of supplies) {
    const device = await supply.get();
    expect(device.ledger).toMatchObject({ buffers: 0, bytes: 0 });
    device.destroy();
  }
});

const tools = (change: Partial<RecomputeTools> = {}): RecomputeTools => ({
  supply: onThreads(1),
  dataset: async () => dataset,
  checksum: datasetChecksum,
  select: selectImages,
  weights: async (name) => {
    throw new Failure('not-found', `no weights ${name}`);
  },
  ...change,
});

/** A run as it is submitted: written and read again. */
async function submitted(change: Partial<TrainingConfig> = {}, threads = 1): Promise<SubmittedRun> {
  const config = tiny({ lastStep: STEPS, ...change });
  const { run, record } = recorded(config, onThreads(threads));
  run.train();
  await run.settled();
  await run.close();
  const last = record.evaluations.at(-1);
  const { model, dataset: _data, lastStep: _last, adjustments = [], ...settings } = config;
  const file = submissionOf({
    wgrad: VERSION,
    lesson: { name: 'loss', title: 'Loss', content: '0'.repeat(16) },
    began: '2026-03-01T12:00:00.000Z',
    answers: [],
    done: [],
    runs: [
      {
        engine: 'cpu',
        adapter: 'CPU',
        model: JSON.parse(toJson(model)) as Exclude<SubmittedRun['model'], string>,
        dataset: dataset.name,
        images: await datasetChecksum(dataset),
        settings: settings as SubmittedRun['settings'],
        adjustments: adjustments.map((one) => ({ ...one })),
        pins: [],
        steps: record.losses.length,
        losses: await packLosses(Float32Array.from(record.losses)),
        ...(last
          ? {
              test: {
                step: last.step,
                testLoss: last.evaluation.loss,
                testAccuracy: last.evaluation.accuracy,
              },
            }
          : {}),
      },
    ],
  });
  const read = await readSubmission('a.json', submissionText(file));
  if (!read.ok) throw new Error(read.error.message);
  return read.value.runs[0];
}

const again = (run: SubmittedRun, change: Partial<RecomputeTools> = {}, version = VERSION, most?: number) =>
  recomputeRun(run, version, most, tools(change));

/** With the loss of a step changed by its last bit, and everything else as if it had been so. */
async function withLoss(run: SubmittedRun, step: number): Promise<SubmittedRun> {
  const losses = unpackLosses(run.losses) ?? new Float32Array();
  new Uint32Array(losses.buffer)[step - 1]++;
  return { ...run, losses: await packLosses(losses) };
}

const plain = await submitted();

test.each([
  [1, 2],
  [2, 1],
])('what %d threads computed is confirmed by %d', async (there, here) => {
  const run = await submitted({ adjustments: [{ step: 7, lr: 0.003 }] }, there);
  expect(await again(run, { supply: onThreads(here) })).toEqual({
    how: 'confirmed',
    steps: STEPS,
    compared: STEPS,
  });
});

test('a run that broke down is confirmed, up to there', async () => {
  const run = await submitted({ optimizer: 'sgd', lr: 1e30 });
  expect(run.steps).toBeLessThan(STEPS);
  expect(await again(run)).toEqual({ how: 'confirmed', steps: run.steps, compared: run.steps });
});

test('a loss that was edited differs at its step, with both values, and what comes later is not computed', async () => {
  const [there, here] = [await withLoss(plain, 13), plain].map(({ losses }) => unpackLosses(losses)?.[12]);
  const verdict = await again(await withLoss(plain, 13));
  expect(verdict).toMatchObject({ how: 'differs', what: 'loss', step: 13, there, here });
  expect(there).not.toBe(here);
});

test('an accuracy that was edited differs', async () => {
  const edited = { ...plain, test: { step: STEPS, testLoss: null, ...plain.test, testAccuracy: 1.5 } };
  const here = plain.test?.testAccuracy;
  expect(await again(edited)).toMatchObject({ what: 'testAccuracy', step: STEPS, there: 1.5, here });
});

test.each<[string, number, (run: SubmittedRun) => SubmittedRun]>([
  ['seed', 1, (run) => ({ ...run, settings: { ...run.settings, seed: 5 } })],
  ['setting', 2, (run) => ({ ...run, settings: { ...run.settings, lr: 0.02 } })],
  ['change during the run', 12, (run) => ({ ...run, adjustments: [{ step: 10, lr: 0.02 }] })],
])('a %s that was edited differs from step %d', async (_, step, edited) => {
  const verdict = await again(edited(plain));
  expect(verdict).toMatchObject({ how: 'differs', what: 'loss', step });
  if (verdict.how === 'differs') expect(verdict.there).not.toBe(verdict.here);
});

test('steps that were added, and a checksum of others, differ', async () => {
  const broken = await submitted({ optimizer: 'sgd', lr: 1e30 });
  const losses = unpackLosses(broken.losses) ?? new Float32Array();
  const more = {
    ...broken,
    steps: broken.steps + 1,
    losses: await packLosses(Float32Array.of(...losses, 1)),
  };
  expect(await again(more)).toMatchObject({ how: 'differs', step: broken.steps + 1, there: 1, here: NaN });
  const checksum = 'f'.repeat(64);
  const other = { ...plain, losses: { ...plain.losses, checksum } };
  expect(await again(other)).toMatchObject({ how: 'differs', what: 'checksum', there: checksum });
});

test('of the first steps alone, the losses that are in the file are compared, of which there has to be one', async () => {
  expect(await again(await withLoss(plain, 13), {}, VERSION, 12)).toEqual({
    how: 'confirmed',
    steps: 12,
    compared: 12,
  });
  const all = unpackLosses(plain.losses) ?? [];
  const few = await packLosses(Float32Array.from([7, 14, 20], (step) => all[step - 1]));
  const run = { ...plain, losses: { ...few, every: 7 } };
  expect(await again(run, {}, VERSION, 16)).toEqual({ how: 'confirmed', steps: 16, compared: 2 });
  expect(await again(run, {}, VERSION, 6)).toMatchObject({ how: 'unchecked', why: 'absent', steps: 0 });
});

test('what cannot be checked says why', async () => {
  const differing = await withLoss(plain, 3);
  expect(await again(differing, {}, '0.0.9')).toMatchObject({
    why: 'version',
    there: '0.0.9',
    here: VERSION,
  });
  // Equal bits are equal, whichever version made them.
  expect(await again(plain, {}, '0.0.9')).toMatchObject({ how: 'confirmed' });
  expect(await again({ ...plain, images: 'f'.repeat(64) })).toMatchObject({
    how: 'unchecked',
    why: 'images',
  });
  expect(await again({ ...plain, engine: 'gpu' })).toEqual({ how: 'unchecked', why: 'gpu', steps: 0 });
  expect(await again({ ...plain, start: 'Run 3' })).toMatchObject({ why: 'start', there: 'Run 3' });
  const absent = async () => {
    throw new Failure('not-found', 'MNIST is not downloaded yet.');
  };
  expect(await again(plain, { dataset: absent })).toMatchObject({
    why: 'absent',
    message: 'MNIST is not downloaded yet.',
  });
  const odd = { ...plain, model: { layers: [] } as SubmittedRun['model'] };
  expect(await again(odd)).toMatchObject({ how: 'unchecked', why: 'absent' });
  const pinned = { ...plain, pins: [{ layer: 'nowhere', algorithm: 'direct' }] };
  expect(await again(pinned)).toMatchObject({ why: 'absent' });
});
