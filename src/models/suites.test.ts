import { expect, test } from 'vitest';
import { flops, problemKey } from '../engine/ops/conv/problem.ts';
import { suiteCases, suites } from './suites.ts';

/** Multiply-adds of all convolutions for one image, in millions. */
const megaMacs = (name: string) =>
  suiteCases(suites.get(name), 1).reduce(
    (sum, one) => sum + (one.layers.length * flops(one.problem)) / 2e6,
    0,
  );

test.each([
  // Published totals, minus the fully connected layers where those are included.
  ['lenet5', 2, 0.36],
  ['resnet20', 21, 41],
  ['alexnet', 5, 1077],
  ['vgg19', 16, 19630 - 124],
  ['googlenet', 57, 1580],
  ['resnet50', 53, 3860],
  ['squeezenet', 26, 820],
])('%s: %i convolutions, about %f million multiply-adds an image', (name, count, millions) => {
  expect(suites.get(name).layers).toHaveLength(count);
  expect(megaMacs(name) / millions).toBeGreaterThan(0.98);
  expect(megaMacs(name) / millions).toBeLessThan(1.02);
});

test('layers of the same sizes form one case with all their names', () => {
  const cases = suiteCases(suites.get('vgg19'));
  expect(cases).toHaveLength(9);
  const deep = cases.find(({ name }) => name === 'conv5_1');
  expect(deep).toMatchObject({
    layers: ['conv5_1', 'conv5_2', 'conv5_3', 'conv5_4'],
    problem: { N: 32, C: 512, H: 14, K: 512, P: 14 },
  });
  for (const suite of suites.all()) {
    const names = suiteCases(suite, 1).flatMap((one) => one.layers);
    expect(names).toHaveLength(suite.layers.length);
    expect(new Set(names).size).toBe(names.length);
  }
});

test('a suite has batch sizes, which the caller may override', () => {
  const sizes = (name: string, batch?: number) =>
    suiteCases(suites.get(name), batch).map(({ problem }) => problem.N);
  expect(sizes('awnn')).toEqual([1, 1, 1, 4, 4, 4, 16, 16, 16]);
  expect(sizes('layers')).toEqual([64, 64, 64, 128, 128]);
  expect(sizes('layers', 2)).toEqual([2, 2, 2, 2, 2]);
});

test.each(['unseen2', 'unseen3'])(
  'no layer of %s, which judges predictions, is in another suite',
  (suite) => {
    const keys = (name: string) => suiteCases(suites.get(name)).map(({ problem }) => problemKey(problem));
    const others = suites.names().filter((name) => name !== suite);
    const known = new Set(others.flatMap(keys));
    expect(keys(suite).filter((key) => known.has(key))).toEqual([]);
    expect(keys(suite).length).toBeGreaterThanOrEqual(24);
  },
);
