/** Runs with exponential moving averages of parameters and running statistics. */
import { expect, test } from 'vitest';
import { averageStep } from '../engine/average/reference.ts';
import type { StateDict } from '../engine/parameters.ts';
import { expectClose } from '../engine/testing/check.ts';
import type { TrainingConfig } from './config.ts';
import { recorded, residual, cleanSupply, tiny, trainedRun } from './testing/tiny-run.ts';

const supply = cleanSupply();

const COUNTS = /num_batches_tracked$/;

async function finished(change: Partial<TrainingConfig>, onSteps?: (last: number) => void) {
  const { record, parameters } = await trainedRun(tiny({ model: residual, ...change }), supply, onSteps);
  return { losses: record.losses, evaluation: record.evaluations.at(-1)?.evaluation, parameters };
}

const flat = (dict: StateDict): Float32Array =>
  Float32Array.from([...dict].flatMap(([name, { data }]) => (COUNTS.test(name) ? [] : [...data])));

test('they are the averages of the states of a run without them, and do not change the run', async () => {
  const steps = [1, 2, 3, 4, 5];
  const plain: Awaited<ReturnType<typeof finished>>[] = [];
  for (const lastStep of steps) plain.push(await finished({ lastStep }));
  const start = flat((await finished({ lastStep: 1, lr: 0 })).parameters);
  const averaged = await finished({ lastStep: steps.length, ema: 0.35 });
  expect(averaged.losses).toEqual(plain[4].losses);
  const wanted = Float64Array.from(start);
  // A step with a learning rate of 0 still updates running statistics; those start with their initial values.
  let at = 0;
  for (const [name, { data }] of averaged.parameters) {
    if (COUNTS.test(name)) continue;
    if (name.endsWith('running_mean')) wanted.fill(0, at, at + data.length);
    if (name.endsWith('running_var')) wanted.fill(1, at, at + data.length);
    at += data.length;
  }
  steps.forEach((t) => averageStep(0.35, t, flat(plain[t - 1].parameters), wanted));
  expectClose('averages', flat(averaged.parameters), wanted, 5e-7);
  expect(averaged.parameters.get('bn1.num_batches_tracked')?.data).toEqual(Float32Array.of(5));
});

test('they are used to evaluate and predict; a run from them starts at their values', async () => {
  const whole = await finished({ lastStep: 10, ema: 0.9 });
  const plain = await finished({ lastStep: 10 });
  expect(whole.evaluation?.loss).not.toBe(plain.evaluation?.loss);
  const { run } = recorded(tiny({ model: residual, initial: whole.parameters }), supply);
  const loaded = await run.evaluate('test');
  expect(loaded).toEqual(whole.evaluation);
  await run.close();
});

test('averages survive a lost device', async () => {
  let lost = false;
  const config = { lastStep: 30, ema: 0.9 };
  const disturbed = await finished(config, (last) => {
    if (last < 13 || lost) return;
    lost = true;
    void supply.get().then((device) => device.destroy());
  });
  expect(lost).toBe(true);
  expect(disturbed).toEqual(await finished(config));
});

test('a decay of 1 is refused', () => {
  expect(() => recorded(tiny({ ema: 1 }), supply)).toThrow(/decay of averages .* below 1, found 1/);
});
