import { describe, expect, test } from 'vitest';
import { Failure } from '../../base/result.ts';
import { packStep, stepSlotBytes } from '../step.ts';
import { expectClose, expectExact } from '../testing/check.ts';
import { normals } from '../testing/fixtures.ts';
import { asIfOn, runPlan } from '../testing/gpu.ts';
import { adamStep, muonStep, rmspropStep, sgdStep } from './reference.ts';
import type { OptimizerSettings } from './optimizer.ts';
import { optimizers } from './registry.ts';
import { blockTable, decayFactors, rateFactors, trainedEpochs } from './block-table.ts';

const STEPS = 10;

interface OptimizerCase {
  settings: OptimizerSettings;
  /** Parameters and gradients by step from 0. Default: normally distributed. */
  numbers?: (t: number) => Float32Array<ArrayBuffer>;
  /** Shapes of consecutive parameters, each at a multiple of 64. Default: one parameter with all values. */
  shapes?: readonly (readonly number[])[];
  /** The steps, from 1, both included. Default: all ten. */
  first?: number;
  last?: number;
}

const numbersOf = (count: number) => (t: number) => normals(1 + t, [count]).data;

/** Where each of `shapes` lies. */
function layoutOf(shapes: readonly (readonly number[])[]) {
  let end = 0;
  const entries = shapes.map((shape, i) => {
    const offset = end;
    const length = shape.reduce((a, b) => a * b);
    end += 64 * Math.ceil(length / 64);
    return { name: `a${i}.weight`, shape, offset, length };
  });
  return { entries, length: end };
}

/** The kernel's results after ten steps with a changing learning rate. */
async function train(
  name: string,
  count: number,
  { settings, shapes, numbers = numbersOf(count), first = 1, last = STEPS }: OptimizerCase,
) {
  const optimizer = optimizers.get(name);
  await optimizer.fetch?.();
  const start = { shape: [count], data: numbers(0) };
  let tensors: Record<string, Float32Array<ArrayBuffer>> = { parameters: start.data };
  for (const state of optimizer.states) tensors[state] = new Float32Array(count);
  for (let t = first; t <= last; t++) {
    const slotBytes = stepSlotBytes(1);
    const data = new Uint8Array(slotBytes).fill(0xee);
    const fields = optimizer.stepFields(t, { ...settings, lr: settings.lr / t });
    packStep(new DataView(data.buffer), 0, {
      ...fields,
      epoch: t,
      metricsSlot: 0,
      indices: new Uint32Array(1),
    });
    const outputs = Object.entries(tensors).map(([key, values]) => [key, { shape: [count], data: values }]);
    tensors = await runPlan({
      inputs: { gradients: { shape: [count], data: numbers(t) } },
      outputs: Object.fromEntries(outputs) as Record<string, typeof start>,
      step: { data, slotBytes },
      build: (plan, { parameters, gradients, ...states }) => {
        const layout = shapes && layoutOf(shapes);
        const matrices = layout && optimizer.matrices?.(layout.entries);
        const blocks = layout && blockTable(plan, layout, { ...settings, decay1d: false }, matrices);
        optimizer.plan(plan, { parameters, gradients, states, blocks, matrices }, settings);
      },
    });
  }
  return tensors;
}

describe('ten steps match the reference', () => {
  const base = { ...optimizers.get('sgd').defaults, lr: 0.1 };

  test.each([
    { momentum: 0, nesterov: false, weightDecay: 0 },
    { momentum: 0.9, nesterov: false, weightDecay: 5e-4 },
    { momentum: 0.9, nesterov: true, weightDecay: 1e-2 },
  ])('sgd %o', async (change) => {
    const settings = { ...base, ...change };
    const found = await train('sgd', 1001, { settings });
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
    const found = await train(name, 1001, { settings });
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

describe('rmsprop: ten steps match the reference', () => {
  const { defaults } = optimizers.get('rmsprop');

  test.each<Partial<OptimizerSettings>>([
    {},
    { alpha: 0.9, eps: 1e-3, weightDecay: 1e-2 },
    { alpha: 0.5, momentum: 0.9 },
    { alpha: 0.9, momentum: 0.9, centered: true, weightDecay: 1e-3 },
    { alpha: 0, eps: 0.1 },
  ])('%o', async (change) => {
    const settings = { ...defaults, ...change };
    const found = await train('rmsprop', 1001, { settings });
    const parameters = Float64Array.from(normals(1, [1001]).data);
    const states = {
      squares: new Float64Array(1001),
      means: new Float64Array(1001),
      buffers: new Float64Array(1001),
    };
    for (let t = 1; t <= STEPS; t++) {
      rmspropStep({ ...settings, lr: settings.lr / t }, parameters, normals(1 + t, [1001]).data, states);
    }
    expectClose('parameters', found.parameters, parameters, 1e-6);
    expectClose('square_avg', found.square_avg, states.squares, 5e-7);
    expectClose('grad_avg', found.grad_avg, states.means, 5e-7);
    expectClose('momentum_buffer', found.momentum_buffer, states.buffers, 1e-6);
  });

  test('a variance below zero from rounding counts as zero', async () => {
    // With equal gradients of 3 and alpha 0.1, mean and square differ by rounding alone after a few steps.
    const settings = { ...defaults, alpha: 0.1, eps: 1, centered: true };
    const equal = (t: number) => new Float32Array(64).fill(t === 0 ? 0 : 3);
    const { parameters } = await train('rmsprop', 64, { settings, numbers: equal });
    expect([...parameters].every(Number.isFinite)).toBe(true);
  });
});

describe('muon: ten steps match the reference', () => {
  // Wide, tall, filters, of the same shape, one row, one column; biases and the last matrix take steps of SGD.
  const shapes = [[6, 5, 3, 3], [6], [9, 70], [6, 5, 3, 3], [130, 33], [1, 40], [64, 1], [130], [7, 10], [7]];
  const base = { ...optimizers.get('muon').defaults, lr: 0.1, momentum: 0.6 };
  const changes: readonly Partial<OptimizerSettings>[] = [
    { nesterov: true },
    { weightDecay: 0.05, momentum: 0.9, nsSteps: 1 },
    { nesterov: true, nsSteps: 3, rescale: true },
  ];
  // A GPU's workgroups take slices of matrices.
  const devices = ['SwiftShader', 'a GPU'] as const;
  const cases = [
    ...changes.flatMap((change) => devices.map((device) => ({ device, change, of: shapes }))),
    // Alone and square enough for SwiftShader to add up the square of its products in slices.
    {
      device: 'SwiftShader',
      change: { nesterov: true },
      of: [
        [64, 70],
        [7, 10],
      ],
    } as const,
  ];
  test.each(cases)('%o', async (one) => {
    const { entries, length } = layoutOf(one.of);
    const settings = { ...base, ...one.change };
    const found = await asIfOn(one.device, () => train('muon', length, { settings, shapes: one.of }));
    for (const { shape, offset, length: size } of entries) {
      const part = (values: Float32Array) => values.slice(offset, offset + size);
      const parameters = Float64Array.from(part(normals(1, [length]).data));
      const buffers = new Float64Array(size);
      const isMatrix = shape.length > 1 && shape.join() !== '7,10';
      for (let t = 1; t <= STEPS; t++) {
        const own = { ...settings, lr: settings.lr / t };
        const gradients = part(normals(1 + t, [length]).data);
        if (isMatrix) muonStep(own, shape[0], parameters, gradients, buffers);
        else {
          const decay = shape.length > 1 ? settings.weightDecay : 0;
          sgdStep({ ...own, weightDecay: decay }, parameters, gradients, buffers);
        }
      }
      // Newton-Schulz steps multiply small singular values, and their errors, by 3.4 each.
      const grown = isMatrix ? 2 ** -24 * 3.4445 ** settings.nsSteps : 0;
      expectClose(`[${shape.join(', ')}]`, part(found.parameters), parameters, 5e-7 + grown);
      expectClose('momentum_buffer', part(found.momentum_buffer), buffers, 5e-7);
    }
  });
});

describe('weight decay that skips parameters of one dimension', () => {
  const shapes = [[70], [3, 5, 5], [2, 100], [10], [1, 1]];
  const { entries, length } = layoutOf(shapes);

  const elementwise = optimizers.names().filter((name) => !optimizers.get(name).matrices);
  test.each(elementwise)('%s', async (name) => {
    const { defaults } = optimizers.get(name);
    const [none, decay] = [0, 0.1].map((weightDecay) => ({ ...defaults, lr: 0.1, weightDecay }));
    const selective = await train(name, length, { settings: decay, shapes });
    const [plain, all] = [
      await train(name, length, { settings: none }),
      await train(name, length, { settings: decay }),
    ];
    for (const { shape, offset, length: size } of entries) {
      const part = ({ parameters }: typeof plain) => parameters.slice(offset, offset + size);
      expect(part(plain)).not.toEqual(part(all));
      expectExact(`[${shape.join(', ')}]`, part(selective), part(shape.length > 1 ? all : plain));
    }
  });
});

describe('factors of the learning rate', () => {
  const shapes = [[70], [3, 5, 5], [2, 100], [10], [4, 3]];
  const { entries, length } = layoutOf(shapes);
  test.each(optimizers.names())('%s', async (name) => {
    const { defaults } = optimizers.get(name);
    const at = async (lr: number, lrFactors: string[] = []) => {
      const settings = { ...defaults, weightDecay: 0.1, lr, lrFactors };
      return (await train(name, length, { settings, shapes })).parameters;
    };
    // Powers of two: the same bits.
    const factors = [1, 2, 0.5, 0, 1];
    const found = await at(0.125, ['a1.*=0.5', 'a1=2', 'a2.weight=0.5', 'a3=0']);
    const expected = new Map([[0, numbersOf(length)(0)]]);
    for (const factor of [0.5, 1, 2]) expected.set(factor, await at(0.125 * factor));
    for (const [i, { offset, length: size }] of entries.entries()) {
      const part = (of: Float32Array) => of.slice(offset, offset + size);
      const values = expected.get(factors[i]) as Float32Array;
      expectExact(`factor ${factors[i]}`, part(found), part(values));
    }
  });

  test.each([
    ['fc', /expected a layer or parameter and the factor .*, found "fc"/],
    ['fc=-1', /found "fc=-1"/],
    ['fc=fast', /found "fc=fast"/],
    ['fcc=2', /no layer or parameter is named "fcc"/],
    ['conv1.weights=2', /named "conv1.weights", whose learning rate was to change/],
  ])('%s is refused', (text, message) => {
    expect(() => rateFactors([text], ['conv1.weight', 'fc.weight', 'fc.bias'])).toThrow(message);
  });

  test('a name stands for what is below it, * for any characters, and the last one counts', () => {
    const names = ['layer1.0.conv1.weight', 'layer1.0.bn1.bias', 'layer10.fc.weight', 'fc.bias'];
    const of = (...factors: string[]) => names.map(rateFactors(factors, names));
    expect(of()).toEqual([1, 1, 1, 1]);
    expect(of('layer1=2')).toEqual([2, 2, 1, 1]);
    expect(of('*.bias=0.5', 'fc.bias=3e-1')).toEqual([1, 0.5, 1, 0.3]);
    expect(of('layer1.0.conv1.weight=.25', '*=4', 'layer1*=0')).toEqual([0, 0, 0, 4]);
  });
});

test.each(optimizers.names())('factors of weight decay: %s', async (name) => {
  const shapes = [
    [7, 10],
    [3, 5, 5],
    [5, 2],
  ];
  const { entries, length } = layoutOf(shapes);
  const at = async (weightDecay: number, given: string[] = []) => {
    const settings = { ...optimizers.get(name).defaults, lr: 0.125, weightDecay, decayFactors: given };
    return (await train(name, length, { settings, shapes })).parameters;
  };
  const found = await at(0.0625, ['a1=4', 'a2=0']);
  for (const [i, factor] of [1, 4, 0].entries()) {
    const { offset, length: size } = entries[i];
    const part = (of: Float32Array) => of.slice(offset, offset + size);
    expectExact(`factor ${factor}`, part(found), part(await at(0.0625 * factor)));
  }
  expect(() => decayFactors({ decay1d: true, decayFactors: ['fc=1-2'] }, ['fc.weight'])).toThrow(
    /the factor of its weight decay, such as fc=10, found "fc=1-2"/,
  );
});

describe('parameters that are trained in some epochs only', () => {
  const shapes = [[70], [3, 5, 5], [2, 100], [10]];
  const { entries, length } = layoutOf(shapes);
  // Each step is an epoch here.
  test.each(['sgd', 'muon'])('%s', async (name) => {
    const { defaults } = optimizers.get(name);
    const of = async (change: Partial<OptimizerCase>, given: string[] = []) => {
      const settings = { ...defaults, lr: 0.1, momentum: 0.5, weightDecay: 0.1, trainedEpochs: given };
      return (await train(name, length, { settings, shapes, ...change })).parameters;
    };
    const found = await of({}, ['a*=5-', 'a1=1-4', 'a0=3-10']);
    const expected = [{ first: 3 }, { last: 4 }, { first: 5 }, { first: 5 }];
    for (const [i, { offset, length: size }] of entries.entries()) {
      const part = (values: Float32Array) => values.slice(offset, offset + size);
      expectExact(`parameter ${i}`, part(found), part(await of(expected[i])));
    }
  });

  test.each([
    ['fc', /the epochs in which it is trained, such as fc=1-3 or fc=4-, found "fc"/],
    ['fc=0-3', /found "fc=0-3"/],
    ['fc=3', /found "fc=3"/],
    ['fcc=1-', /no layer or parameter is named "fcc", whose epochs were to change/],
  ])('%s is refused', (text, message) => {
    expect(() => trainedEpochs([text], ['fc.weight'])).toThrow(message);
  });
});

describe('without an epsilon', () => {
  const holes = (t: number) => normals(1 + t, [200]).data.map((v, i) => (i % 3 === 0 ? 0 : v));

  test.each(['adam', 'adamw', 'rmsprop'])('%s: what has no gradient does not move', async (name) => {
    const settings = { ...optimizers.get(name).defaults, eps: 0 };
    const found = await train(name, 200, { settings, numbers: holes });
    for (const [key, values] of Object.entries(found)) {
      const still = values.filter((_, i) => i % 3 === 0);
      expectExact(key, still, new Float32Array(still.length));
      expect([...values].every(Number.isFinite)).toBe(true);
    }
    expect(found.parameters[1]).not.toBe(holes(0)[1]);
  });

  test.each(optimizers.names())('%s: gradients of NaN are not hidden', async (name) => {
    const numbers = (t: number) => new Float32Array(64).fill(t === 0 ? 1 : NaN);
    const settings = { ...optimizers.get(name).defaults, eps: 0, centered: true };
    const { parameters } = await train(name, 64, { settings, numbers });
    expect([...parameters].every(Number.isNaN)).toBe(true);
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
    ['rmsprop', { alpha: 1 }, /rmsprop: expected alpha .* below 1, found 1/],
    ['rmsprop', { momentum: -1 }, /rmsprop: expected momentum/],
    ['rmsprop', { eps: -1e-9 }, /rmsprop: expected eps/],
  ])('%s %o', (name, change, message) => {
    const optimizer = optimizers.get(name);
    const attempt = () => optimizer.stepFields(1, { ...optimizer.defaults, ...change });
    expect(attempt).toThrow(message);
    expect(attempt).toThrow(Failure);
  });
});
