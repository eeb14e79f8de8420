/** Dropout in a run: seed and step determine what is dropped, and predictions drop nothing. */
import { expect, test } from 'vitest';
import type { Model } from '../models/model.ts';
import { recorded, cleanSupply, tiny } from './testing/tiny-run.ts';

const supply = cleanSupply();

const STEPS = 12;
const { model } = tiny();
/** After a fused ReLU, and after a view. */
const withDropout = (p: number): Model => ({
  ...model,
  layers: model.layers.flatMap((layer) =>
    ['relu', 'flatten'].includes(layer.name)
      ? [layer, { name: `dropout-${layer.name}`, op: 'dropout', attributes: { p } }]
      : [layer],
  ),
});

async function train(own: Model, seed = 1) {
  const { run, record } = recorded(tiny({ model: own, lastStep: STEPS, seed }), supply);
  run.train();
  await run.settled();
  return { run, losses: record.losses };
}

test('a restart drops the same elements, another seed drops others', async () => {
  const { run, losses } = await train(withDropout(0.4));
  await run.restart();
  await run.settled();
  const again = await train(withDropout(0.4));
  expect(again.losses).toEqual(losses);
  expect(await run.stateDict()).toEqual(await again.run.stateDict());
  const plain = await train(model);
  expect(plain.losses).not.toEqual(losses);
  for (const one of [run, again.run, plain.run]) await one.close();
});

test('steps drop different elements', async () => {
  const still = tiny({ model: withDropout(0.4), lastStep: 2, shuffle: false });
  // Parameters do not change, and the batch is the whole set.
  const train16 = { ...still.dataset.train, count: 16 };
  const { run, record } = recorded(
    { ...still, lr: 1e-30, dataset: { ...still.dataset, train: train16 } },
    supply,
  );
  run.train();
  await run.settled();
  expect(record.losses[0]).not.toBe(record.losses[1]);
  await run.close();
});

test('nothing to drop changes nothing', async () => {
  const none = await train(withDropout(0));
  const plain = await train(model);
  expect(none.losses).toEqual(plain.losses);
  for (const one of [none.run, plain.run]) await one.close();
});

test('predictions use all elements', async () => {
  const { run } = await train(withDropout(0.4));
  const initial = await run.stateDict();
  const evaluation = await run.evaluate('test');
  const image = tiny().dataset.train.images.slice(0, 64);
  const answer = await run.predict(image);
  await run.close();
  const plain = recorded(tiny({ model, initial }), supply).run;
  expect(await plain.evaluate('test')).toEqual(evaluation);
  expect((await plain.predict(image)).probabilities).toEqual(answer.probabilities);
  await plain.close();
});
