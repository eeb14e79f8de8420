import { describe, expect, test } from 'vitest';
import { adamStep } from './adam/reference.ts';
import { sgdStep } from './sgd/reference.ts';

/** 1, 2, 3 steps from parameter 1 with gradients 0.5, -0.25, 1, worked out from the formulas of PyTorch's manual. */
const gradients = [0.5, -0.25, 1];

function sgd(settings: { momentum: number; nesterov: boolean; weightDecay: number }): number[] {
  const parameter = Float64Array.of(1);
  const buffer = new Float64Array(1);
  return gradients.map((gradient) => {
    sgdStep({ lr: 0.1, ...settings }, parameter, [gradient], buffer);
    return parameter[0];
  });
}

const near = (expected: number[]) => expected.map((value) => expect.closeTo(value, 14) as number);

describe('sgd', () => {
  test('plain', () => {
    expect(sgd({ momentum: 0, nesterov: false, weightDecay: 0 })).toEqual(near([0.95, 0.975, 0.875]));
  });

  test('momentum', () => {
    // Buffers 0.5, 0.2, 1.18.
    expect(sgd({ momentum: 0.9, nesterov: false, weightDecay: 0 })).toEqual(near([0.95, 0.93, 0.812]));
  });

  test('nesterov', () => {
    // Gradients plus 0.9 times the buffers: 0.95, -0.07, 2.062.
    expect(sgd({ momentum: 0.9, nesterov: true, weightDecay: 0 })).toEqual(near([0.905, 0.912, 0.7058]));
  });

  test('weight decay', () => {
    // Gradients 0.6, -0.156, 1.09556.
    expect(sgd({ momentum: 0, nesterov: false, weightDecay: 0.1 })).toEqual(near([0.94, 0.9556, 0.846044]));
  });
});

function adam(decoupled: boolean, weightDecay: number): number[] {
  const parameter = Float64Array.of(1);
  const [first, second] = [new Float64Array(1), new Float64Array(1)];
  const settings = { lr: 0.1, beta1: 0.5, beta2: 0.75, epsilon: 0, weightDecay, decoupled };
  return gradients.map((gradient, i) => {
    adamStep(settings, i + 1, parameter, [gradient], first, second);
    return parameter[0];
  });
}

describe('adam', () => {
  test('its first step is the learning rate in size, whatever the gradient', () => {
    expect(adam(false, 0)[0]).toBeCloseTo(0.9, 14);
  });

  test('two steps', () => {
    // Step 2: means 0 and 0.0625, corrected by 0.75 and 0.4375.
    expect(adam(false, 0)[1]).toBeCloseTo(0.9, 14);
    // Step 3: means 0.5 and 0.296875, corrected by 0.875 and 0.578125.
    expect(adam(false, 0)[2]).toBeCloseTo(0.9 - (0.1 * (0.5 / 0.875)) / Math.sqrt(0.296875 / 0.578125), 14);
  });

  test('weight decay: coupled it only turns the gradient, decoupled it shrinks the parameter', () => {
    expect(adam(false, 0.1)[0]).toBeCloseTo(0.9, 14);
    expect(adam(true, 0.1)[0]).toBeCloseTo(0.99 - 0.1, 14);
  });
});
