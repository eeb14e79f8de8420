/** What batch normalisation keeps between steps, through everything that happens to a run. */
import { afterAll, expect, test } from 'vitest';
import { dataset, recorded, residual, testSupply, tiny } from './testing.ts';

const { supply, devices } = testSupply();
afterAll(async () => {
  for (const device of devices) expect(device.uncaught).toEqual([]);
  expect((await supply.get()).ledger).toMatchObject({ buffers: 0, bytes: 0 });
});

const STEPS = 40;
const config = tiny({ model: residual, lastStep: STEPS });

async function undisturbed() {
  const { session, record } = recorded(config, supply);
  session.train();
  await session.settled();
  const parameters = await session.stateDict();
  await session.close();
  return { losses: record.losses, evaluations: record.evaluations, parameters };
}

test('a run that loses its device goes on with the same statistics', async () => {
  let lost = false;
  const { session, record } = recorded(config, supply, (last) => {
    if (last < 13 || lost) return;
    lost = true;
    void supply.get().then((device) => device.destroy());
  });
  session.train();
  await session.settled();
  expect(lost).toBe(true);
  const whole = await undisturbed();
  expect(record.losses).toEqual(whole.losses);
  expect(record.evaluations.at(-1)).toEqual(whole.evaluations.at(-1));
  expect(await session.stateDict()).toEqual(whole.parameters);
  expect(whole.evaluations.at(-1)?.evaluation.accuracy).toBeGreaterThan(0.9);
  await session.close();
});

test('a restart begins with fresh ones', async () => {
  const { session, record } = recorded(config, supply);
  session.train();
  await session.settled();
  session.restart();
  await session.settled();
  const whole = await undisturbed();
  expect(record.restarts).toBe(1);
  expect(record.losses).toEqual(whole.losses);
  expect(await session.stateDict()).toEqual(whole.parameters);
  await session.close();
});

test('weights that are saved and loaded answer the same, and an image is judged by itself', async () => {
  const { parameters } = await undisturbed();
  expect(parameters.get('bn2.num_batches_tracked')?.data).toEqual(Float32Array.of(STEPS));
  const { session } = recorded(tiny({ model: residual, initial: parameters }), supply);
  const { losses, confusion } = await session.evaluate('test');
  expect(confusion.reduce((sum, count) => sum + count, 0)).toBe(dataset.test.count);
  for (const i of [0, 1, 17]) {
    const { probabilities } = await session.predict(dataset.test.images.slice(64 * i, 64 * (i + 1)));
    expect(-Math.log(probabilities[dataset.test.labels[i]])).toBeCloseTo(losses[i], 5);
  }
  expect(await session.stateDict()).toEqual(parameters);
  await session.close();
});
