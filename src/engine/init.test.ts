import { describe, expect, test } from 'vitest';
import { Random } from '../base/random.ts';
import {
  gainOf,
  initialize,
  initializerOf,
  kaimingNormal,
  kaimingUniform,
  xavierNormal,
  xavierUniform,
  WEIGHTS_INITS,
  type Initializer,
} from './init.ts';

/** A convolution of 32 channels to 64 filters of 5x5. */
const fans = { shape: [64, 32, 5, 5], fanIn: 800, fanOut: 1600 };
const weight = { name: 'weight', ...fans };
const bias = { name: 'bias', ...fans };
/** A linear layer with the same number of weights. */
const matrix = { ...weight, shape: [64, 800] };

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
    ['weights by themselves', initializerOf('kaiming_uniform', weight), 1 / Math.sqrt(3 * 800)],
    ['biases by themselves', initializerOf('kaiming_uniform', bias), 1 / Math.sqrt(3 * 800)],
    ['filters, kaiming_normal', initializerOf('kaiming_normal', weight), Math.sqrt(2 / 1600)],
    ['weights, kaiming_normal', initializerOf('kaiming_normal', matrix), 1 / Math.sqrt(3 * 800)],
    ['filters, kaiming_normal_fan_in', initializerOf('kaiming_normal_fan_in', weight), Math.sqrt(2 / 800)],
    ['matrices, kaiming_normal_fan_in', initializerOf('kaiming_normal_fan_in', matrix), Math.sqrt(2 / 800)],
    ['filters, xavier_uniform', initializerOf('xavier_uniform', weight), Math.sqrt(2 / 2400)],
    ['weights, xavier_normal', initializerOf('xavier_normal', matrix), Math.sqrt(2 / 2400)],
  ])('%s', (name, initializer, expected) => {
    const values = initializer(new Random(1, name), fans);
    expect(values.length).toBe(51200);
    const { mean, deviation, largest } = statistics(values);
    // Five standard errors each.
    expect(Math.abs(mean)).toBeLessThan((5 * expected) / Math.sqrt(51200));
    expect(Math.abs(deviation / expected - 1)).toBeLessThan(5 / Math.sqrt(2 * 51200));
    if (/normal/.test(name) && !name.startsWith('weights, kaiming')) {
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

describe('dirac', () => {
  // torch.nn.init.dirac_, by its definition: w[g * K / G + c, c, middle] = 1.
  test.each([
    { shape: [3, 3, 3, 3], groups: 1, ones: [4, 40, 76] },
    { shape: [4, 2, 1, 1], groups: 1, ones: [0, 3] },
    { shape: [4, 1, 2, 3], groups: 4, ones: [4, 10, 16, 22] },
    { shape: [1, 2, 5, 1], groups: 1, ones: [2] },
  ])('$shape in $groups groups passes channels on', ({ shape, groups, ones }) => {
    const [filters, channels, ...window] = shape;
    const each = channels * window[0] * window[1];
    const spec = { name: 'weight', shape, groups, fanIn: each, fanOut: 9 };
    const values = initialize(1, 'conv.weight', spec, 'dirac');
    const identities = [...values.keys()].filter((i) => values[i] === 1);
    expect(identities).toEqual(ones);
    for (let k = 0; k < filters; k++) {
      const filter = values.subarray(k * each, (k + 1) * each);
      const others = [...filter].filter((value) => value !== 0 && value !== 1);
      // A filter without a channel of its own is random.
      expect(others.length).toBe(k % (filters / groups) < channels ? 0 : each);
    }
  });
});

describe('initialize', () => {
  test('one seed and name always give the same values, others differ', () => {
    const values = initialize(1, 'conv1.weight', weight);
    expect(initialize(1, 'conv1.weight', weight)).toEqual(values);
    expect(initialize(2, 'conv1.weight', weight)).not.toEqual(values);
    expect(initialize(1, 'conv2.weight', weight)).not.toEqual(values);
  });

  test("uses PyTorch's default unless a scheme is given", () => {
    const small = { name: 'bias', shape: [1000], fanIn: 4, fanOut: 7 };
    expect(statistics(initialize(1, 'fc.bias', small)).largest).toBeCloseTo(0.5, 2);
    expect(statistics(initialize(1, 'fc.weight', weight)).largest).toBeCloseTo(1 / Math.sqrt(800), 4);
    const found = initialize(1, 'fc.weight', weight, 'xavier_normal');
    expect(found).not.toEqual(initialize(1, 'fc.weight', weight));
    expect(found).toEqual(xavierNormal()(new Random(1, 'init fc.weight'), fans));
  });

  test.each(WEIGHTS_INITS)('%s: biases, and numbers that an op gives', (init) => {
    const drawn = initialize(1, 'fc.bias', bias, init);
    expect(drawn.every((value) => value === 0)).toBe(init !== 'kaiming_uniform');
    expect(initialize(1, 'bn.weight', { ...weight, shape: [3], initial: 1 }, init)).toEqual(
      Float32Array.of(1, 1, 1),
    );
  });
});
