import { describe, expect, test } from 'vitest';
import sgd from '../optimizers/rules/sgd.ts';
import { packStep, stepSlotBytes } from '../step.ts';
import { expectClose, expectExact } from '../testing/check.ts';
import { integers, normals } from '../testing/fixtures.ts';
import { runPlan } from '../testing/gpu.ts';
import { gradientFactors } from './index.ts';
import { clipped, nextScaling } from './reference.ts';
import { checkScaling, MIN_SCALE, MAX_SCALE, USUAL_SCALING } from './scaling.ts';

const settings = { ...sgd.defaults, lr: 1, momentum: 0.5 };
const slotBytes = stepSlotBytes(0);
const step = { slotBytes, data: new Uint8Array(slotBytes) };
packStep(new DataView(step.data.buffer), 0, {
  ...sgd.stepFields(1, settings),
  metricsSlot: 0,
  indices: new Uint32Array(),
});

/** What a first step of gradient descent subtracts from parameters of 0: the scaled gradients. */
async function run(
  data: Float32Array<ArrayBuffer>,
  { clipNorm, scaling }: { clipNorm?: number; scaling?: { state: number[]; patience: number } },
) {
  const zeros = { shape: [data.length], data: new Float32Array(data.length) };
  const { parameters, momentum_buffer, state } = await runPlan({
    inputs: { gradients: { shape: [data.length], data } },
    outputs: {
      parameters: zeros,
      momentum_buffer: zeros,
      state: { shape: [2], data: Float32Array.from(scaling?.state ?? [0, 0]) },
    },
    step,
    build(plan, t) {
      const scaled = scaling && { scaling: t.state, patience: scaling.patience };
      const factors = gradientFactors(plan, t.gradients, { clipNorm, ...scaled });
      const states = { momentum_buffer: t.momentum_buffer };
      sgd.plan(plan, { parameters: t.parameters, gradients: t.gradients, states, factors }, settings);
    },
  });
  return { taken: momentum_buffer, moved: parameters.map((v) => 0 - v), state: [...state] };
}

const clip = async (data: Float32Array<ArrayBuffer>, clipNorm: number) =>
  (await run(data, { clipNorm })).taken;

/** One part, a few parts, and too many gradients for parts of the smallest length. */
describe.each([1, 64, 1001, 4096, 70_001, 2_200_000])('%i gradients', (count) => {
  const { data } = normals(count, [count]);
  const norm = Math.sqrt(data.reduce((sum, value) => sum + value * value, 0));

  test('above the norm are scaled down to it', async () => {
    const found = await clip(data, norm / 3);
    expectClose('gradients', found, clipped(data, norm / 3), 1e-6);
    const after = Math.sqrt(found.reduce((sum, value) => sum + value * value, 0));
    expect(Math.abs(after / (norm / 3) - 1)).toBeLessThan(5e-6);
  });

  test('below it stay as they are, to the bit', async () => {
    expectExact('gradients', await clip(data, 1.01 * norm + 0.01), data);
  });
});

test('the sum counts every gradient once', async () => {
  // Whole numbers: the sum of squares is exact, so the factor has only its own rounding error.
  const { data } = integers(3, [5000]);
  const norm = Math.sqrt(data.reduce((sum, value) => sum + value * value, 0));
  expectClose('gradients', await clip(data, norm / 7), clipped(data, norm / 7), 2e-7);
});

test('zeros stay zeros', async () => {
  expectExact('gradients', await clip(new Float32Array(100), 1), new Float32Array(100));
});

test('NaN is not hidden', async () => {
  expect([...(await clip(Float32Array.of(1, NaN, 2), 1))]).toEqual([NaN, NaN, NaN]);
});

test.each([0, -1, NaN, Infinity])('a norm of %d is refused', async (largest) => {
  await expect(clip(new Float32Array(3), largest)).rejects.toThrow(/above 0, found/);
});

describe('the scale of the loss', () => {
  const { data } = normals(1, [1001]);
  const scaledBy = (scale: number) => data.map((v) => v * scale);
  const patience = 3;
  const limits = { patience, least: MIN_SCALE, most: MAX_SCALE };

  test.each([1, 2 ** 10, MAX_SCALE])('of %d is divided out again, to the bit', async (scale) => {
    const { taken, moved, state } = await run(scaledBy(scale), { scaling: { state: [scale, 0], patience } });
    expectExact('gradients', taken, data);
    expectExact('parameters', moved, data);
    expect(state).toEqual([scale, 1]);
  });

  test('clips the gradients without the scale', async () => {
    const { taken } = await run(scaledBy(2 ** 10), {
      clipNorm: 2,
      scaling: { state: [2 ** 10, 0], patience },
    });
    expectClose('gradients', taken, clipped(data, 2), 1e-6);
  });

  test.each([NaN, Infinity, -Infinity])('with a gradient of %d the step is skipped', async (bad) => {
    const { taken, moved, state } = await run(
      data.map((v, i) => (i === 700 ? bad : v)),
      { clipNorm: 2, scaling: { state: [2 ** 10, 2], patience } },
    );
    expectExact('gradients', taken, new Float32Array(1001));
    expectExact('parameters', moved, new Float32Array(1001));
    expect(state).toEqual([2 ** 9, 0]);
  });

  test('also with a sum of squares too large for float32', async () => {
    const { taken } = await run(new Float32Array(5).fill(2e19), { scaling: { state: [2, 0], patience } });
    expectExact('gradients', taken, new Float32Array(5));
  });

  test('at the least scale, overflow stays visible', async () => {
    const { taken, state } = await run(Float32Array.of(1, Infinity), {
      scaling: { state: [MIN_SCALE, 2], patience },
    });
    expectExact('gradients', taken, Float32Array.of(1, Infinity));
    expect(state).toEqual([MIN_SCALE, 0]);
  });

  test('follows the reference step after step', async () => {
    let wanted = { scale: 2 ** 22, waited: 0 };
    for (const bad of [0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]) {
      const one = Float32Array.of(bad ? NaN : 1);
      const { state } = await run(one, { scaling: { state: [wanted.scale, wanted.waited], patience } });
      wanted = nextScaling(wanted, bad === 1, limits);
      expect(state).toEqual([wanted.scale, wanted.waited]);
    }
    expect(wanted.scale).toBe(MAX_SCALE);
  });

  test('other scales and intervals are refused', () => {
    for (const initial of [0, 3, 0.5, NaN, Infinity])
      expect(() => checkScaling({ ...USUAL_SCALING, initial })).toThrow(/power of two, found/);
    for (const steps of [0, 1.5, NaN])
      expect(() => checkScaling({ ...USUAL_SCALING, patience: steps })).toThrow(/whole number of steps/);
  });
});
