import { expect, test } from 'vitest';
import { inferShapes, layoutParameters, type Layer } from '../network.ts';
import sgd from '../optimizers/rules/sgd.ts';
import { packStep, stepSlotBytes } from '../step.ts';
import { expectClose } from '../testing/check.ts';
import { normals } from '../testing/fixtures.ts';
import { runPlan } from '../testing/gpu.ts';
import updateRatio from './update-ratio.ts';

const settings = { ...sgd.defaults, lr: 0.01 };

/** Layers of 1 to 200,000 parameters; gaps between tensors are 0, as in a parameter store. */
function network(features: number[]) {
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

test.each([[[1]], [[3, 65, 10]], [[300, 600, 5]]])('layers of %j outputs as in float64', async (features) => {
  const { layout, flat } = network(features);
  const columns = updateRatio.columns(layout);
  expect(columns).toEqual(features.map((_, i) => `updateRatio.fc${i}`));
  const [before, gradients] = [flat(1), flat(2)];
  const shape = [layout.length];
  const slotBytes = stepSlotBytes(0);
  const data = new Uint8Array(slotBytes);
  packStep(new DataView(data.buffer), 0, {
    ...sgd.stepFields(1, settings),
    metricsSlot: 1,
    indices: new Uint32Array(),
  });
  const { parameters, values } = await runPlan({
    inputs: { gradients: { shape, data: gradients } },
    outputs: {
      parameters: { shape, data: before },
      momentum_buffer: { shape, data: new Float32Array(layout.length) },
      values: { shape: [2, columns.length], data: new Float32Array(2 * columns.length).fill(7) },
    },
    step: { slotBytes, data },
    build(plan, t) {
      const measureUpdate = updateRatio.plan(plan, {
        layout,
        parameters: t.parameters,
        gradients: t.gradients,
        scaling: undefined,
        values: t.values,
      });
      const states = { momentum_buffer: t.momentum_buffer };
      sgd.plan(plan, { parameters: t.parameters, gradients: t.gradients, states }, settings);
      measureUpdate();
    },
  });
  const expected = features.map((_, i) => {
    let [update, weights] = [0, 0];
    for (const { offset, length } of layout.entries.filter(({ layer }) => layer === `fc${i}`)) {
      for (let at = offset; at < offset + length; at++) {
        update += (parameters[at] - before[at]) ** 2;
        weights += before[at] ** 2;
      }
    }
    return Math.sqrt(update / weights);
  });
  expectClose('ratios', values, Float64Array.from([...features.map(() => 7), ...expected]), 1e-5);
});
