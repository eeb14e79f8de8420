import { afterAll, expect, test } from 'vitest';
import { dataset, recorded, testSupply, tiny } from '../../train/testing/tiny-run.ts';
import { firstFilters } from './first-filters.ts';
import { firing, firingChannels, look } from './look.ts';
import { predictedSamples } from './samples.ts';
import { seenBatch } from './seen.ts';

const { supply, devices } = testSupply();
afterAll(() => devices.forEach((device) => device.destroy()));

const SIZE = 64;
const image = (index: number) => dataset.test.images.slice(index * SIZE, (index + 1) * SIZE);

test('a look: layers, the output of one, its filters and one value, also while the run trains', async () => {
  const { run } = recorded(tiny(), supply);
  await run.stepOnce();
  const { probabilities } = await run.predict(image(3));
  const seen = await look(run, { image: image(3), layer: 'conv', pixel: { k: 2, p: 0, q: 7 } });
  expect(seen.step).toBe(1);
  seen.probabilities.forEach((share, i) => expect(share).toBeCloseTo(probabilities[i], 5));
  expect(seen.layers.map(({ name, takes }) => `${name} takes ${takes.join()}`)).toEqual([
    'input takes ',
    ...['conv takes input', 'relu takes conv', 'pool takes relu', 'flatten takes pool', 'fc takes flatten'],
  ]);
  expect(Object.entries(seen.overviews).map(([name, { length }]) => [name, length])).toEqual([
    ['input', 64],
    ['conv', 256],
    ['relu', 256],
    ['pool', 64],
    ['flatten', 64],
    ['fc', 4],
  ]);
  expect(seen.output).toMatchObject({ layer: 'conv', shape: [4, 8, 8] });
  expect(seen.filters?.shape).toEqual([4, 1, 3, 3]);
  expect(seen.filters?.bias).toHaveLength(4);
  const pixel = seen.pixel!;
  expect(pixel).toMatchObject({ top: -1, left: 6, channels: 1, inputName: 'input', inputShape: [1, 8, 8] });
  expect(pixel.network).toBe(seen.output.values[2 * 64 + 7]);
  expect(pixel.error).toBeLessThan(1e-6);
  // Above and right of the image is padding.
  expect([...pixel.patch.slice(0, 3)]).toEqual([0, 0, 0]);
  expect(pixel.patch[5]).toBe(0);
  expect(pixel.patch[3]).toBe(pixel.input[6]);

  const relu = await look(run, { image: image(3), layer: 'relu' });
  expect(relu.output.values).toEqual(seen.output.values.map((value) => Math.max(0, value)));
  expect(relu.filters).toBeUndefined();
  await expect(look(run, { image: image(3), layer: 'nothing' })).rejects.toMatchObject({ code: 'not-found' });
  await expect(look(run, { image: new Uint8Array(3), layer: 'conv' })).rejects.toMatchObject({
    code: 'bad-input',
  });
  // A place that this layer does not have, as after a change of model.
  const beyond = await look(run, { image: image(3), layer: 'conv', pixel: { k: 9, p: 0, q: 0 } });
  expect(beyond.pixel).toBeUndefined();

  run.train();
  const steps = new Set<number>();
  for (let i = 0; i < 5; i++) {
    const { step, pixel: worked } = await look(run, {
      image: image(i),
      layer: 'conv',
      pixel: { k: 1, p: 4, q: 4 },
    });
    steps.add(step);
    // Parameters and outputs belong to the same step, however far the run is.
    expect(worked?.error).toBeLessThan(1e-6);
  }
  expect(steps.size).toBeGreaterThan(1);
  await run.close();
});

test('the first filters are those of the state dict, also while it trains', async () => {
  const { run } = recorded(tiny(), supply);
  await run.stepOnce();
  const filters = (await firstFilters(run))!;
  const state = await run.stateDict();
  const [weight, bias] = ['conv.weight', 'conv.bias'].map((name) => state.get(name)!);
  expect(filters).toEqual({
    step: 1,
    layer: 'conv',
    shape: weight.shape,
    weights: weight.data,
    bias: bias.data,
  });
  run.train();
  const later = (await firstFilters(run))!;
  expect(later.step).toBeGreaterThanOrEqual(1);
  await run.pause();
  expect((await firstFilters(run))!.weights).not.toEqual(filters.weights);
  await run.close();
});

test('dead channels are distinguished from those that are inactive for one image', async () => {
  expect(firingChannels(Float32Array.of(0, 0, 0, -1), 2)).toEqual([false, true]);
  const { run } = recorded(tiny(), supply);
  await run.stepOnce();
  const state = new Map(await run.stateDict());
  await run.close();
  // A filter whose bias makes it always inactive.
  state.get('conv.bias')!.data[2] = -1000;
  const { run: other } = recorded(tiny({ initial: state }), supply);
  const { images, counts } = await firing(other, 'relu');
  expect(images).toBe(40);
  expect(counts[2]).toBe(0);
  expect(Math.max(...counts)).toBe(40);
  expect(await firing(other, 'input')).toMatchObject({ images: 40, counts: Uint32Array.of(40) });
  await other.close();
});

test('images by their predictions, and the batch of the last step', async () => {
  const { run } = recorded(tiny(), supply);
  await expect(seenBatch(run, 0, 4)).rejects.toMatchObject({ code: 'not-found' });
  await run.stepOnce();
  const evaluation = await run.evaluate('test');
  const page = predictedSamples(
    dataset,
    { step: 1, epoch: 0, evaluation },
    { mistakesOnly: true, order: 'surest', first: 0, count: 100 },
  );
  expect(page.total).toBe(Math.round((1 - evaluation.accuracy) * dataset.test.count));
  for (const { index, prediction, confidence, labelProbability } of page.samples) {
    const { probabilities } = await run.predict(image(index));
    expect(confidence).toBeCloseTo(probabilities[prediction], 4);
    expect(labelProbability).toBeCloseTo(probabilities[dataset.test.labels[index]], 4);
  }
  const batch = await seenBatch(run, 14, 10);
  expect(batch).toMatchObject({ step: 1, total: 16, shape: [1, 8, 8] });
  expect(batch.labels).toHaveLength(2);
  const bytes = dataset.train.images.subarray(batch.indices[0] * SIZE, (batch.indices[0] + 1) * SIZE);
  bytes.forEach((byte, i) => expect(batch.images[i]).toBeCloseTo((byte / 255 - 0.3) / 0.2, 4));
  expect(batch.labels[1]).toBe(dataset.train.labels[batch.indices[1]]);
  await run.close();
});
