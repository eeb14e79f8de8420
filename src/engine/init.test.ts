import { describe, expect, test } from 'vitest';
import { Random } from '../base/random.ts';
import {
  defaultInitializer,
  gainOf,
  initialize,
  kaimingNormal,
  kaimingUniform,
  xavierNormal,
  xavierUniform,
  type Initializer,
} from './init.ts';

/** A convolution of 32 channels to 64 filters of 5x5. */
const fans = { shape: [64, 32, 5, 5], fanIn: 800, fanOut: 1600 };

function statistics(values: Float32Array) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return { mean, deviation: Math.sqrt(variance), largest };
}

const a = Math.sqrt(5);

describe('deviation, mean and bounds', () => {
  test.each<[string, Initializer, number]>([
    ['kaiming uniform', kaimingUniform(), Math.sqrt(2 / 800)],
    ['kaiming uniform for the backward pass', kaimingUniform({ mode: 'fan_out' }), Math.sqrt(2 / 1600)],
    ['kaiming uniform, a = sqrt(5)', kaimingUniform({ a }), Math.sqrt(1 / 3 / 800)],
    ['kaiming uniform, tanh', kaimingUniform({ nonlinearity: 'tanh' }), 5 / 3 / Math.sqrt(800)],
    ['kaiming normal, ReLU', kaimingNormal({ nonlinearity: 'relu', mode: 'fan_out' }), Math.sqrt(2 / 1600)],
    ['kaiming normal, linear', kaimingNormal({ nonlinearity: 'linear' }), Math.sqrt(1 / 800)],
    ['xavier uniform', xavierUniform(), Math.sqrt(2 / 2400)],
    ['xavier uniform, gain 2', xavierUniform(2), 2 * Math.sqrt(2 / 2400)],
    ['xavier normal', xavierNormal(), Math.sqrt(2 / 2400)],
    ['default weight', defaultInitializer('weight'), 1 / Math.sqrt(3 * 800)],
    ['default bias', defaultInitializer('bias'), 1 / Math.sqrt(3 * 800)],
  ])('%s', (name, initializer, expected) => {
    const values = initializer(new Random(1, name), fans);
    expect(values.length).toBe(51200);
    const { mean, deviation, largest } = statistics(values);
    // Five standard errors each.
    expect(Math.abs(mean)).toBeLessThan((5 * expected) / Math.sqrt(51200));
    expect(Math.abs(deviation / expected - 1)).toBeLessThan(5 / Math.sqrt(2 * 51200));
    if (name.includes('normal')) {
      expect(largest).toBeGreaterThan(3.5 * expected);
    } else {
      const bound = Math.fround(Math.sqrt(3) * expected);
      expect(largest).toBeLessThanOrEqual(bound);
      expect(largest).toBeGreaterThan(0.999 * bound);
    }
  });
});

test('gains are those of torch.nn.init.calculate_gain', () => {
  expect([gainOf('linear'), gainOf('sigmoid'), gainOf('tanh'), gainOf('relu')]).toEqual([
    1,
    1,
    5 / 3,
    Math.SQRT2,
  ]);
  expect(gainOf('leaky_relu')).toBeCloseTo(Math.sqrt(2 / 1.0001), 14);
  expect(gainOf('leaky_relu', a)).toBeCloseTo(Math.sqrt(1 / 3), 14);
});

describe('initialize', () => {
  const weight = { name: 'weight', ...fans };

  test('the same for one seed and name, another for another', () => {
    const values = initialize(1, 'conv1.weight', weight);
    expect(initialize(1, 'conv1.weight', weight)).toEqual(values);
    expect(initialize(2, 'conv1.weight', weight)).not.toEqual(values);
    expect(initialize(1, 'conv2.weight', weight)).not.toEqual(values);
  });

  test("takes PyTorch's default by the parameter's name", () => {
    const bias = { name: 'bias', shape: [1000], fanIn: 4, fanOut: 7 };
    expect(statistics(initialize(1, 'fc.bias', bias)).largest).toBeCloseTo(0.5, 2);
    expect(statistics(initialize(1, 'fc.weight', weight)).largest).toBeCloseTo(1 / Math.sqrt(800), 4);
    expect(initialize(1, 'fc.weight', weight, xavierNormal())).not.toEqual(
      initialize(1, 'fc.weight', weight),
    );
  });
});
