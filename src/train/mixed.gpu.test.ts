/**
 * Mixed precision except for the 16 bits, which software adapters lack: loss scaling, skipped steps, and the copy of
 * the weights.
 */
import { expect, test } from 'vitest';
import { USUAL_MIXED } from '../engine/mixed.ts';
import type { TrainingConfig } from './config.ts';
import { recorded, residual, cleanSupply, tiny, trainedRun } from './testing/tiny-run.ts';

const supply = cleanSupply();

async function finished(change: Partial<TrainingConfig>, onSteps?: (last: number) => void) {
  const { record, parameters } = await trainedRun(tiny({ model: residual, ...change }), supply, onSteps);
  expect(record.states.at(-1)).toMatchObject({ state: 'paused' });
  return { losses: record.losses, parameters };
}

const scaledFrom = (initial: number, patience: number) => ({
  mixed: { number: 'f32', scaling: { initial, patience } } as const,
});

test('a scale that only grows changes no bit', async () => {
  const plain = await finished({ lastStep: 12 });
  expect(await finished({ lastStep: 12, ...scaledFrom(2 ** 10, 3) })).toEqual(plain);
});

test('steps that overflow are skipped until the scale fits, and do not stop the run', async () => {
  // Squares of the gradients stay below float32's largest number, 2^128, with a scale of about 2^64.
  const early = await finished({ lastStep: 3, ...scaledFrom(2 ** 90, 1000) });
  const start = await finished({ lastStep: 1, lr: 0 });
  const weights = ({ parameters }: typeof start) =>
    [...parameters].filter(([name]) => /weight$|bias$/.test(name)).map(([, { data }]) => data);
  expect(weights(early)).toEqual(weights(start));
  const { losses } = await finished({ lastStep: 60, ...scaledFrom(2 ** 90, 1000) });
  expect(losses[59]).toBeLessThan(0.5 * losses[0]);
});

test('the scale survives a lost device', async () => {
  let lost = false;
  const config = { lastStep: 30, ...scaledFrom(2 ** 75, 4) };
  const disturbed = await finished(config, (last) => {
    if (last < 13 || lost) return;
    lost = true;
    void supply.get().then((device) => device.destroy());
  });
  expect(lost).toBe(true);
  expect(disturbed).toEqual(await finished(config));
});

test('is refused with an explanation if the GPU has no 16-bit numbers', async () => {
  const device = await supply.get();
  if (device.raw.features.has('shader-f16')) return;
  const { run, record } = recorded(tiny({ mixed: USUAL_MIXED, lastStep: 1 }), supply);
  run.train();
  await run.settled();
  expect(record.states.at(-1)).toMatchObject({
    state: 'failed',
    code: 'unsupported',
    message: expect.stringMatching(/^Mixed precision needs 16-bit floats in shaders/) as string,
  });
  await run.close();
});
