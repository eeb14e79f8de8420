/** Dropout in a run: what it drops follows from the seed and the step, and nothing is dropped when the network answers. */
import { afterAll, expect, test } from 'vitest';
import type { Model } from '../models/model.ts';
import { recorded, testSupply, tiny } from './testing.ts';

const { supply, devices } = testSupply();
afterAll(async () => {
  for (const device of devices) expect(device.uncaught).toEqual([]);
  expect((await supply.get()).ledger).toMatchObject({ buffers: 0, bytes: 0 });
});

const STEPS = 12;
const { model } = tiny();
/** Behind a ReLU that the layer before it applies, and behind a view. */
const withDropout = (p: number): Model => ({
  ...model,
  layers: model.layers.flatMap((layer) =>
    ['relu', 'flatten'].includes(layer.name)
      ? [layer, { name: `dropout-${layer.name}`, op: 'dropout', attributes: { p } }]
      : [layer],
  ),
});

async function train(own: Model, seed = 1) {
  const { session, record } = recorded(tiny({ model: own, lastStep: STEPS, seed }), supply);
  session.train();
  await session.settled();
  return { session, losses: record.losses };
}

test('a restart drops the same, another seed something else', async () => {
  const { session, losses } = await train(withDropout(0.4));
  session.restart();
  await session.settled();
  const again = await train(withDropout(0.4));
  expect(again.losses).toEqual(losses);
  expect(await session.stateDict()).toEqual(await again.session.stateDict());
  const plain = await train(model);
  expect(plain.losses).not.toEqual(losses);
  for (const one of [session, again.session, plain.session]) await one.close();
});

test('steps drop different elements', async () => {
  const still = tiny({ model: withDropout(0.4), lastStep: 2, shuffle: false });
  // Parameters stay as they are, and the batch is all there is.
  const settings = { ...still.settings, lr: 1e-30 };
  const train16 = { ...still.dataset.train, count: 16 };
  const { session, record } = recorded(
    { ...still, settings, dataset: { ...still.dataset, train: train16 } },
    supply,
  );
  session.train();
  await session.settled();
  expect(record.losses[0]).not.toBe(record.losses[1]);
  await session.close();
});

test('nothing to drop changes nothing', async () => {
  const none = await train(withDropout(0));
  const plain = await train(model);
  expect(none.losses).toEqual(plain.losses);
  for (const one of [none.session, plain.session]) await one.close();
});

test('the network answers with all it has', async () => {
  const { session } = await train(withDropout(0.4));
  const initial = await session.stateDict();
  const evaluation = await session.evaluate('test');
  const image = tiny().dataset.train.images.slice(0, 64);
  const answer = await session.predict(image);
  await session.close();
  const plain = recorded(tiny({ model, initial }), supply).session;
  expect(await plain.evaluate('test')).toEqual(evaluation);
  expect((await plain.predict(image)).probabilities).toEqual(answer.probabilities);
  await plain.close();
});
