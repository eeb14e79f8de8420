/** The running statistics of batch normalisation, through everything that happens to a run. */
import { expect, test } from 'vitest';
import { dataset, recorded, residual, cleanSupply, tiny, trainedRun } from './testing/tiny-run.ts';

const supply = cleanSupply();

const STEPS = 40;
const config = tiny({ model: residual, lastStep: STEPS });

async function undisturbed() {
  const { record, parameters } = await trainedRun(config, supply);
  return { losses: record.losses, evaluations: record.evaluations, parameters };
}

test('a run that loses its device continues with the same statistics', async () => {
  let lost = false;
  const { run, record } = recorded(config, supply, (last) => {
    if (last < 13 || lost) return;
    lost = true;
    void supply.get().then((device) => device.destroy());
  });
  run.train();
  await run.settled();
  expect(lost).toBe(true);
  const whole = await undisturbed();
  expect(record.losses).toEqual(whole.losses);
  expect(record.evaluations.at(-1)).toEqual(whole.evaluations.at(-1));
  expect(await run.stateDict()).toEqual(whole.parameters);
  expect(whole.evaluations.at(-1)?.evaluation.accuracy).toBeGreaterThan(0.9);
  await run.close();
});

test('a restart starts with initial statistics', async () => {
  const { run, record } = recorded(config, supply);
  run.train();
  await run.settled();
  await run.restart();
  await run.settled();
  const whole = await undisturbed();
  expect(record.restarts).toBe(1);
  expect(record.losses).toEqual(whole.losses);
  expect(await run.stateDict()).toEqual(whole.parameters);
  await run.close();
});

test('saved and loaded weights predict the same, and predictions do not depend on the batch', async () => {
  const { parameters } = await undisturbed();
  expect(parameters.get('bn2.num_batches_tracked')?.data).toEqual(Float32Array.of(STEPS));
  const { run } = recorded(tiny({ model: residual, initial: parameters }), supply);
  const { losses, confusion } = await run.evaluate('test');
  expect(confusion.reduce((sum, count) => sum + count, 0)).toBe(dataset.test.count);
  for (const i of [0, 1, 17]) {
    const { probabilities } = await run.predict(dataset.test.images.slice(64 * i, 64 * (i + 1)));
    expect(-Math.log(probabilities[dataset.test.labels[i]])).toBeCloseTo(losses[i], 5);
  }
  expect(await run.stateDict()).toEqual(parameters);
  await run.close();
});
