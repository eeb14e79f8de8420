import { describe, expect, test } from 'vitest';
import { Failure } from '../../base/result.ts';
import { packStep, stepSlotBytes } from '../step.ts';
import { expectClose } from '../testing/check.ts';
import { normals } from '../testing/fixtures.ts';
import { runPlan } from '../testing/gpu.ts';
import { adamStep } from './adam/reference.ts';
import type { OptimizerSettings } from './optimizer.ts';
import { optimizers } from './registry.ts';
import { sgdStep } from './sgd/reference.ts';

const STEPS = 10;

/** What the kernel makes of ten steps, the learning rate changing on the way. */
async function train(name: string, settings: OptimizerSettings, count: number) {
  const optimizer = optimizers.get(name);
  const start = normals(1, [count]);
  let tensors: Record<string, Float32Array<ArrayBuffer>> = { parameters: start.data };
  for (const state of optimizer.states) tensors[state] = new Float32Array(count);
  for (let t = 1; t <= STEPS; t++) {
    const slotBytes = stepSlotBytes(1);
    const data = new Uint8Array(slotBytes).fill(0xee);
    const fields = optimizer.stepFields(t, { ...settings, lr: settings.lr / t });
    packStep(new DataView(data.buffer), 0, { ...fields, metricsSlot: 0, indices: new Uint32Array(1) });
    const outputs = Object.entries(tensors).map(([key, values]) => [key, { shape: [count], data: values }]);
    tensors = await runPlan({
      inputs: { gradients: normals(1 + t, [count]) },
      outputs: Object.fromEntries(outputs) as Record<string, typeof start>,
      step: { data, slotBytes },
      build: (plan, { parameters, gradients, ...states }) =>
        optimizer.plan(plan, { parameters, gradients, states }, settings),
    });
  }
  return tensors;
}

describe('ten steps as the reference', () => {
  const base = { ...optimizers.get('sgd').defaults, lr: 0.1 };

  test.each([
    { momentum: 0, nesterov: false, weightDecay: 0 },
    { momentum: 0.9, nesterov: false, weightDecay: 5e-4 },
    { momentum: 0.9, nesterov: true, weightDecay: 1e-2 },
  ])('sgd %o', async (change) => {
    const settings = { ...base, ...change };
    const found = await train('sgd', settings, 1001);
    const parameters = Float64Array.from(normals(1, [1001]).data);
    const buffer = new Float64Array(1001);
    for (let t = 1; t <= STEPS; t++) {
      sgdStep({ ...settings, lr: settings.lr / t }, parameters, normals(1 + t, [1001]).data, buffer);
    }
    expectClose('parameters', found.parameters, parameters, 5e-7);
    expectClose('momentum_buffer', found.momentum_buffer, buffer, 5e-7);
  });

  test.each([
    { name: 'adam', weightDecay: 0, betas: [0.9, 0.999] },
    { name: 'adam', weightDecay: 1e-2, betas: [0.9, 0.999] },
    { name: 'adamw', weightDecay: 1e-1, betas: [0.9, 0.999] },
    { name: 'adamw', weightDecay: 0, betas: [0, 0.5] },
  ] as const)('$name, weight decay $weightDecay, betas $betas', async ({ name, weightDecay, betas }) => {
    const settings = { ...base, weightDecay, betas };
    const found = await train(name, settings, 1001);
    const parameters = Float64Array.from(normals(1, [1001]).data);
    const [first, second] = [new Float64Array(1001), new Float64Array(1001)];
    for (let t = 1; t <= STEPS; t++) {
      const [beta1, beta2] = betas;
      const common = { beta1, beta2, epsilon: settings.eps, weightDecay, decoupled: name === 'adamw' };
      const gradients = normals(1 + t, [1001]).data;
      adamStep({ lr: settings.lr / t, ...common }, t, parameters, gradients, first, second);
    }
    expectClose('parameters', found.parameters, parameters, 1e-6);
    expectClose('exp_avg', found.exp_avg, first, 5e-7);
    expectClose('exp_avg_sq', found.exp_avg_sq, second, 5e-7);
  });
});

describe('settings out of range are refused', () => {
  test.each<[string, Partial<OptimizerSettings>, RegExp]>([
    ['sgd', { lr: -1 }, /sgd: expected lr .* at least 0, found -1/],
    ['sgd', { lr: NaN }, /found NaN/],
    ['sgd', { lr: Infinity }, /found Infinity/],
    ['sgd', { momentum: -0.1 }, /expected momentum/],
    ['sgd', { nesterov: true }, /nesterov needs a momentum above 0/],
    ['adam', { betas: [0.9, 1] }, /adam: expected a beta .* below 1, found 1/],
    ['adamw', { weightDecay: -1 }, /adamw: expected weightDecay/],
    ['adam', { eps: NaN }, /expected eps/],
  ])('%s %o', (name, change, message) => {
    const optimizer = optimizers.get(name);
    const attempt = () => optimizer.stepFields(1, { ...optimizer.defaults, ...change });
    expect(attempt).toThrow(message);
    expect(attempt).toThrow(Failure);
  });
});
