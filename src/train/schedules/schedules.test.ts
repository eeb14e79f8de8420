import { describe, expect, test } from 'vitest';
import { Failure } from '../../base/result.ts';
import { learningRates, type LearningRate } from './learning-rate.ts';
import { schedules } from './registry.ts';

/** All rates of a run, to compare with numbers from the formulas in PyTorch's manual. */
const rates = (lr: number, settings: LearningRate): number[] =>
  Array.from({ length: settings.steps }, (_, step) => learningRates(lr, settings)(step));

const near = (expected: number[]) => expected.map((value) => expect.closeTo(value, 14) as number);

test('every file here is registered', () => {
  expect(schedules.names()).toEqual(['constant', 'cosine', 'linear', 'one-cycle', 'step']);
});

test('constant', () => {
  expect(rates(0.3, { schedule: 'constant', steps: 4 })).toEqual([0.3, 0.3, 0.3, 0.3]);
});

describe('step', () => {
  test('StepLR(step_size=3, gamma=0.5)', () => {
    expect(rates(0.8, { schedule: 'step', steps: 8, stepSize: 3, gamma: 0.5 })).toEqual(
      near([0.8, 0.8, 0.8, 0.4, 0.4, 0.4, 0.2, 0.2]),
    );
  });

  test('falls to a tenth twice by default', () => {
    expect(rates(1, { schedule: 'step', steps: 6 })).toEqual(near([1, 1, 0.1, 0.1, 0.01, 0.01]));
  });
});

test('linear: from the first rate towards the last, after a warm-up', () => {
  expect(rates(2, { schedule: 'linear', steps: 4 })).toEqual(near([2, 1.5, 1, 0.5]));
  expect(rates(0.9, { schedule: 'linear', steps: 4, minLr: 0.1 })).toEqual(near([0.9, 0.7, 0.5, 0.3]));
  expect(rates(2, { schedule: 'linear', steps: 6, warmupSteps: 2 }).slice(2)).toEqual(near([2, 1.5, 1, 0.5]));
});

describe('cosine', () => {
  test('CosineAnnealingLR(T_max=6)', () => {
    const root = Math.sqrt(3);
    expect(rates(2, { schedule: 'cosine', steps: 6 })).toEqual(
      near([2, 1 + root / 2, 1.5, 1, 0.5, 1 - root / 2]),
    );
  });

  test('CosineAnnealingLR(T_max=4, eta_min=0.1)', () => {
    const swing = 0.2 * Math.SQRT2;
    expect(rates(0.9, { schedule: 'cosine', steps: 4, minLr: 0.1 })).toEqual(
      near([0.9, 0.5 + swing, 0.5, 0.5 - swing]),
    );
  });

  test('it starts after the warm-up, and is shorter by it', () => {
    expect(rates(2, { schedule: 'cosine', steps: 6, warmupSteps: 2 })).toEqual(
      near([1, 2, 2, 1 + Math.SQRT1_2, 1, 1 - Math.SQRT1_2]),
    );
  });
});

describe('one-cycle', () => {
  test('OneCycleLR(max_lr=1, total_steps=10)', () => {
    // Rises from 1/25 over steps 0 to 2, by a half wave with a middle; falls to 4e-6 over steps 2 to 9.
    const down = [1, 2, 3, 4, 5, 6, 7].map(
      (k) => 4e-6 + ((1 - 4e-6) * (1 + Math.cos((k * Math.PI) / 7))) / 2,
    );
    expect(rates(1, { schedule: 'one-cycle', steps: 10 })).toEqual(near([0.04, 0.52, 1, ...down]));
    expect(down[6]).toBeCloseTo(4e-6, 14);
  });

  test('OneCycleLR(max_lr=0.5, total_steps=9, pct_start=0.5, div_factor=5, final_div_factor=10)', () => {
    // The maximum lies between steps 3 and 4, at 3.5.
    const up = [0, 1, 2, 3].map((t) => 0.5 - (0.4 * (1 + Math.cos((Math.PI * t) / 3.5))) / 2);
    const down = [4, 5, 6, 7, 8].map((t) => 0.01 + (0.49 * (1 + Math.cos((Math.PI * (t - 3.5)) / 4.5))) / 2);
    const settings = { pctStart: 0.5, divFactor: 5, finalDivFactor: 10 };
    const found = rates(0.5, { schedule: 'one-cycle', steps: 9, ...settings });
    expect(found).toEqual(near([...up, ...down]));
  });

  test.each([1, 2, 3, 4])('a run of %i steps has numbers for all', (steps) => {
    for (const rate of rates(1, { schedule: 'one-cycle', steps })) {
      expect(rate).toBeGreaterThan(0);
      expect(rate).toBeLessThanOrEqual(1);
    }
  });

  test('a warm-up rises to its first rate', () => {
    expect(rates(1, { schedule: 'one-cycle', steps: 14, warmupSteps: 4 }).slice(0, 6)).toEqual(
      near([0.01, 0.02, 0.03, 0.04, 0.04, 0.52]),
    );
  });
});

test.each(schedules.names())('%s: a warm-up rises in equal steps, and the last rate stays', (schedule) => {
  const rate = learningRates(0.6, { schedule, steps: 20, warmupSteps: 5 });
  const first = rate(5);
  expect([0, 1, 2, 3, 4].map(rate)).toEqual(near([1, 2, 3, 4, 5].map((k) => (first * k) / 5)));
  expect(rate(20)).toBe(rate(19));
  expect(rate(1e6)).toBe(rate(19));
});

describe('invalid settings are refused', () => {
  test.each<[Partial<LearningRate>, RegExp]>([
    [{ schedule: 'line' }, /no schedule named "line"/],
    [{ steps: 0 }, /expected the steps of a schedule to be a whole number above 0; found 0/],
    [{ warmupSteps: 10 }, /expected the warm-up to be less than the run's 10 steps; found 10/],
    [{ warmupSteps: -1 }, /expected the warm-up/],
    [{ warmupSteps: 0.5 }, /expected the warm-up/],
    [{ stepSize: 0 }, /expected stepSize/],
    [{ gamma: 0 }, /expected gamma/],
    [{ minLr: 0.2 }, /expected minLr to be from 0 to the learning rate, 0.1; found 0.2/],
    [{ pctStart: NaN }, /expected pctStart/],
    [{ divFactor: 0 }, /expected divFactor/],
    [{ finalDivFactor: Infinity }, /expected finalDivFactor/],
  ])('%o', (change, message) => {
    const attempt = () => learningRates(0.1, { schedule: 'cosine', steps: 10, ...change });
    expect(attempt).toThrow(message);
    expect(attempt).toThrow(Failure);
  });
});
