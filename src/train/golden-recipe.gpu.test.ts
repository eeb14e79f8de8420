/** The features of the record recipes against PyTorch, step by step; bench/pytorch_golden.py made the losses. */
import { expect, test } from 'vitest';
import { readDataset } from '../cli/data.ts';
import shapes from '../data/datasets/shapes/index.ts';
import type { Dataset, ImageSet } from '../data/dataset.ts';
import { dirac } from '../engine/init.ts';
import { inferShapes, layoutParameters, type Layer } from '../engine/network.ts';
import { elements, type Shape } from '../base/shape.ts';
import type { Model } from '../models/model.ts';
import { completed } from '../run/settings/rules.ts';
import type { RunSettings } from '../run/settings/table.ts';
import golden from './testing/golden-recipe.json' with { type: 'json' };
import { cleanSupply, recorded } from './testing/tiny-run.ts';
import type { TrainingConfig } from './config.ts';
import { whiteningFilters } from './whitening.ts';

const { batchSize, steps } = golden;
const model: Model = {
  name: 'golden',
  title: 'Golden',
  description: '',
  input: [3, 32, 32],
  classes: 10,
  layers: golden.layers as unknown as Layer[],
};
const supply = cleanSupply();

/** The script's `noise`, within 1 / sqrt(fan in). */
function noise(count: number, seed: number): Float32Array<ArrayBuffer> {
  let state = seed;
  return new Float32Array(count).map(() => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

function start({ weightsInit, whiten }: RunSettings, dataset: Dataset) {
  const layers = inferShapes(model.layers, [1, ...model.input]);
  const { entries } = layoutParameters(layers);
  const shapeOf = new Map(entries.map(({ name, shape }) => [name, shape]));
  const state = new Map<string, { shape: Shape; data: Float32Array<ArrayBuffer> }>();
  entries.forEach(({ name, shape }, seed) => {
    const layer = name.slice(0, name.lastIndexOf('.'));
    const filters = shapeOf.get(`${layer}.weight`) as Shape;
    const count = elements(shape);
    if (filters.length === 1) {
      state.set(name, { shape, data: new Float32Array(count).fill(name.endsWith('weight') ? 1 : 0) });
      return;
    }
    const fanIn = elements(filters.slice(1));
    const random = () => noise(count, seed).map((value) => value / Math.sqrt(fanIn));
    const isFilter = weightsInit === 'dirac' && shape.length === 4;
    // No random numbers are drawn.
    const data = isFilter ? dirac(random)(undefined as never, { shape, fanIn, fanOut: 1 }) : random();
    state.set(name, { shape, data: Float32Array.from(data) });
  });
  for (const { layer, buffers } of layers) {
    for (const { name, shape, initial } of buffers)
      state.set(`${layer.name}.${name}`, { shape, data: new Float32Array(elements(shape)).fill(initial) });
  }
  if (!whiten) return state;
  for (const [name, filters] of whiteningFilters(model, dataset)) {
    const weight = state.get(name)?.data as Float32Array<ArrayBuffer>;
    weight.set(filters);
    // Of each filter and its negative, the one first whose largest value is positive.
    const half = weight.length / 2;
    for (let at = 0; at < half; at += 12) {
      const filter = weight.slice(at, at + 12);
      const largest = filter.reduce((best, value) => (Math.abs(value) > Math.abs(best) ? value : best));
      const sign = Math.sign(largest);
      weight.set(
        filter.map((value) => sign * value),
        at,
      );
      weight.set(
        filter.map((value) => -sign * value),
        half + at,
      );
    }
  }
  return state;
}

test.each(golden.cases)('$name', async ({ settings: given, losses: expected, off }) => {
  const all = await readDataset(shapes, {});
  const first = ({ images, labels }: ImageSet, count: number): ImageSet => ({
    count,
    images: images.slice(0, count * elements(model.input)),
    labels: labels.slice(0, count),
  });
  const dataset = { ...all, train: first(all.train, golden.images), test: first(all.test as ImageSet, 1) };
  const settings = completed(given as Partial<RunSettings>);
  const { schedule, warmupEpochs } = settings;
  const warmupSteps = Math.round((warmupEpochs * golden.images) / batchSize);
  const config: TrainingConfig = {
    ...settings,
    model,
    dataset,
    batchSize,
    shuffle: false,
    lastStep: steps,
    learningRate: { schedule, steps, warmupSteps },
    initial: start(settings, dataset),
  };
  const { run, record } = recorded(config, supply);
  run.train();
  await run.settled();
  await run.close();
  expect(record.states.at(-1)).toMatchObject({ state: 'paused', step: steps });
  expect(record.losses).toHaveLength(steps);
  for (const [i, loss] of record.losses.entries()) {
    const allowed = Math.max(10 * off[i], 2e-6);
    expect(Math.abs(loss - expected[i]), `step ${i + 1}, allowed ${allowed}`).toBeLessThan(allowed);
  }
});
