import { describe, expect, test } from 'vitest';
import { measured, measuredLayers, planMeasures, SUMS } from './measures.ts';
import { inferShapes, layoutParameters, type Layer } from './network.ts';
import { blockTable } from './optimizers/block-table.ts';
import sgd from './optimizers/rules/sgd.ts';
import { packStep, stepSlotBytes } from './step.ts';
import { expectClose } from './testing/check.ts';
import { normals } from './testing/fixtures.ts';
import { asIfOn, runPlan } from './testing/gpu.ts';

const settings = { ...sgd.defaults, lr: 0.01 };
const slotBytes = stepSlotBytes(0);
const step = { slotBytes, data: new Uint8Array(slotBytes) };
packStep(new DataView(step.data.buffer), 0, {
  ...sgd.stepFields(1, settings),
  metricsSlot: 1,
  indices: new Uint32Array(),
});

/** Layers of 1 to 200,000 parameters; gaps between tensors are 0, as in a parameter store. */
function network(features: readonly number[]) {
  const layers = features.map((outFeatures, i): Layer => ({
    name: `fc${i}`,
    op: 'linear',
    attributes: { outFeatures },
  }));
  const layout = layoutParameters(inferShapes(layers, [1, 7]));
  const flat = (seed: number) => {
    const data = new Float32Array(layout.length);
    const { data: values } = normals(seed, [layout.length]);
    for (const { offset, length } of layout.entries)
      data.set(values.subarray(offset, offset + length), offset);
    return data;
  };
  return { layout, flat };
}

interface Trial {
  features: readonly number[];
  /** The loss was multiplied by it. */
  scale?: number;
  /** Layers that are not trained. */
  freeze?: string[];
}

async function expectNorms({ features, scale, freeze = [] }: Trial): Promise<void> {
  const { layout, flat } = network(features);
  const [before, gradients] = [flat(1), flat(2)];
  const shape = [layout.length];
  const layers = measuredLayers(layout);
  const row = layers.length * SUMS;
  const { parameters, values } = await runPlan({
    inputs: {
      gradients: { shape, data: gradients },
      scaling: { shape: [2], data: Float32Array.of(scale ?? 7, 7) },
    },
    outputs: {
      parameters: { shape, data: before },
      momentum_buffer: { shape, data: new Float32Array(layout.length) },
      values: { shape: [2, row], data: new Float32Array(2 * row).fill(7) },
    },
    step,
    build(plan, t) {
      const blocks = blockTable(plan, layout, { ...settings, freeze });
      const tensors = { ...t, layers, blocks, scaling: scale === undefined ? undefined : t.scaling };
      const measureUpdate = planMeasures(plan, tensors);
      const states = { momentum_buffer: t.momentum_buffer };
      sgd.plan(plan, { ...tensors, states }, settings);
      measureUpdate();
    },
  });
  const exact = layers.map(({ layer, offset, end }) => {
    const sum = { gradient: 0, weights: 0, update: 0 };
    for (let at = offset; at < end; at++) {
      if (!freeze.includes(layer)) sum.gradient += (gradients[at] / (scale ?? 1)) ** 2;
      sum.weights += before[at] ** 2;
      sum.update += (parameters[at] - before[at]) ** 2;
    }
    return sum;
  });
  const found = measured(layers, values.subarray(row));
  expect(Object.keys(found)).toEqual(['gradientNorm', ...features.map((_, i) => `updateRatio.fc${i}`)]);
  const norm = Math.sqrt(exact.reduce((sum, { gradient }) => sum + gradient, 0));
  const ratios = exact.map(({ update, weights }) => Math.sqrt(update / weights));
  expectClose('metrics', Float32Array.from(Object.values(found)), Float64Array.of(norm, ...ratios), 1e-5);
  expect(values.subarray(0, row), 'another step’s').toEqual(new Float32Array(row).fill(7));
}

describe.each(['a GPU', 'SwiftShader'] as const)('as on %s, norms are as in float64', (device) => {
  test.each<Trial>([
    { features: [1] },
    { features: [3, 65, 10] },
    // Chunks that are full, and one parameter more.
    { features: [511, 512, 1, 4095, 1] },
    { features: [300, 600, 5], scale: 1024 },
    { features: [3, 65, 10], freeze: ['fc1'] },
  ])('%j', (trial) => asIfOn(device, () => expectNorms(trial)));
});
