import { describe, expect, test } from 'vitest';
import { adamStep, muonStep, type RmspropSettings, rmspropStep, sgdStep } from './testing/reference.ts';

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
  test('its first step has the size of the learning rate, whatever the gradient', () => {
    expect(adam(false, 0)[0]).toBeCloseTo(0.9, 14);
  });

  test('two steps', () => {
    // Step 2: means 0 and 0.0625, corrected by 0.75 and 0.4375.
    expect(adam(false, 0)[1]).toBeCloseTo(0.9, 14);
    // Step 3: means 0.5 and 0.296875, corrected by 0.875 and 0.578125.
    expect(adam(false, 0)[2]).toBeCloseTo(0.9 - (0.1 * (0.5 / 0.875)) / Math.sqrt(0.296875 / 0.578125), 14);
  });

  test('weight decay: coupled changes only the gradient, decoupled shrinks the parameter', () => {
    expect(adam(false, 0.1)[0]).toBeCloseTo(0.9, 14);
    expect(adam(true, 0.1)[0]).toBeCloseTo(0.99 - 0.1, 14);
  });
});

function rmsprop(change: Partial<RmspropSettings>): number[] {
  const parameter = Float64Array.of(1);
  const states = { squares: new Float64Array(1), means: new Float64Array(1), buffers: new Float64Array(1) };
  const settings = { lr: 0.1, alpha: 0.75, eps: 0, momentum: 0, centered: false, weightDecay: 0, ...change };
  return gradients.map((gradient) => {
    rmspropStep(settings, parameter, [gradient], states);
    return parameter[0];
  });
}

describe('rmsprop', () => {
  // Means of squares 1/16, 1/16, 19/64.
  const steps = [0.2, -0.1, 0.1 / Math.sqrt(19 / 64)];

  test('plain', () => {
    expect(rmsprop({})).toEqual(near([1 - steps[0], 0.9, 0.9 - steps[2]]));
  });

  test('eps is added to the root', () => {
    expect(rmsprop({ eps: 0.75 })[0]).toBeCloseTo(1 - 0.05, 14);
  });

  test('momentum', () => {
    // Buffers 2, 0, and the third ratio alone.
    expect(rmsprop({ momentum: 0.5 })).toEqual(near([0.8, 0.8, 0.8 - steps[2]]));
  });

  test('centered', () => {
    // Means 1/8, 1/32, 35/128: variances 3/64, 63/1024 and 19/64 - (35/128)^2.
    const ratios = [0.5 / Math.sqrt(3 / 64), -0.25 / Math.sqrt(63 / 1024), 1 / Math.sqrt(3639 / 16384)];
    const sums = ratios.map((_, i) => ratios.slice(0, i + 1).reduce((a, b) => a + b));
    expect(rmsprop({ centered: true })).toEqual(near(sums.map((sum) => 1 - 0.1 * sum)));
  });

  test('weight decay', () => {
    // The first step is the sign times the root of 4, whatever the gradient.
    expect(rmsprop({ weightDecay: 0.1 })[0]).toBeCloseTo(0.8, 14);
    // Then gradients 0.6 and -0.17.
    const square = 0.75 * 0.25 * 0.36 + 0.25 * 0.17 ** 2;
    expect(rmsprop({ weightDecay: 0.1 })[1]).toBeCloseTo(0.8 + (0.1 * 0.17) / Math.sqrt(square), 14);
  });
});

describe('muon', () => {
  const base = { lr: 1, momentum: 0, nesterov: false, weightDecay: 0, eps: 0, nsSteps: 5, rescale: false };
  /** What five steps make of a singular value. */
  const moved = (value: number) =>
    Array.from({ length: 5 }).reduce<number>((x) => 3.4445 * x - 4.775 * x ** 3 + 2.0315 * x ** 5, value);

  test('singular values of the momentum, divided by its norm, move near 1; directions stay', () => {
    // The gradient is diag(3, 4), rotated: [[c, -s], [s, c]] diag(3, 4).
    const [c, s] = [0.6, 0.8];
    const parameters = new Float64Array(4);
    muonStep(base, 2, parameters, [3 * c, -4 * s, 3 * s, 4 * c], new Float64Array(4));
    const [first, second] = [moved(0.6), moved(0.8)];
    expect([...parameters]).toEqual(near([-first * c, second * s, -first * s, -second * c]));
    for (const value of [first, second]) expect(Math.abs(value - 1)).toBeLessThan(0.35);
  });

  test('a tall matrix steps by sqrt(rows / columns), after decay or rescaled', () => {
    const after = (change: Partial<typeof base>) => {
      const parameters = Float64Array.of(3, 4, 0, 0);
      muonStep({ ...base, lr: 0.1, ...change }, 4, parameters, [0, 0, 2, 0], new Float64Array(4));
      return [...parameters];
    };
    expect(after({})).toEqual(near([3, 4, -0.2 * moved(1), 0]));
    expect(after({ weightDecay: 0.5 })).toEqual(near([2.85, 3.8, -0.2 * moved(1), 0]));
    expect(after({ rescale: true, weightDecay: 0.5 })).toEqual(near([1.2, 1.6, -0.1 * moved(1), 0]));
  });

  test('momentum, and ahead of it', () => {
    const after = (nesterov: boolean) => {
      const parameters = new Float64Array(2);
      muonStep({ ...base, momentum: 0.5, nesterov }, 1, parameters, [-1, 0], Float64Array.of(-2, -2));
      return parameters[1] / parameters[0];
    };
    // Buffers of -2 and -1; ahead, -2 and -0.5.
    expect(after(false)).toBeCloseTo(0.5, 14);
    expect(after(true)).toBeCloseTo(0.25, 14);
  });
});
