import { expect, test } from 'vitest';
import { expectWithin, processorTime } from '../base/testing/processor-time.ts';
import type { StateDict } from '../engine/parameters.ts';
import { typicalParameters } from '../engine/typical-parameters.ts';
import { models } from '../models/index.ts';
import { fitModel, summarise } from '../models/model.ts';
import { fromStateDict } from './state-dict.ts';

const weightsOf = (name: string): StateDict => {
  const { layers, input } = models.get(name);
  return typicalParameters(layers, [1, ...input]);
};

/** The others take seconds to draw. */
const SMALL = models.all().filter((model) => summarise(model).parameters < 1e6);

test.each(SMALL.map(({ name }) => name))('the weights of %s alone say which model they belong to', (name) => {
  const weights = weightsOf(name);
  const renamed = new Map([...weights].map(([key, tensor]) => [`module.${key}`, tensor]));
  const { model, parameters, matches } = fromStateDict('w.pt', renamed, {}, {});
  expect(model.name).toBe(name);
  expect(parameters).toEqual(weights);
  expect(matches?.every(({ status }) => status === 'taken')).toBe(true);
});

test('a part of the weights, and other classes', () => {
  const model = models.get('resnet8');
  const fitted = fitModel(model, { name: 'pets', shape: model.input, classes: { length: 37 } });
  const whole = typicalParameters(fitted.layers, [1, ...fitted.input]);
  const part = new Map([...whole].filter(([name]) => !name.startsWith('layer3.0.bn')));
  const found = fromStateDict('w.pt', part, {}, {});
  expect(found.model).toEqual(fitted);
  const missing = found.matches?.filter(({ status }) => status === 'missing').map(({ name }) => name) ?? [];
  expect(missing).toContain('layer3.0.bn1.weight');
  expect(found.parameters.get('fc.weight')).toEqual(whole.get('fc.weight'));
});

test.each(['module.', 'backbone.', 'model.net.'])('a network in another one, as %s', (prefix) => {
  const weights = weightsOf('resnet8');
  const renamed = new Map([...weights].map(([key, tensor]) => [`${prefix}${key}`, tensor]));
  const extra = { shape: [1], data: new Float32Array(1) };
  const { model, matches = [] } = fromStateDict('w.pt', renamed.set('loss.weight', extra), {}, {});
  expect(model.name).toBe('resnet8');
  const odd = matches.filter(({ status }) => status !== 'taken');
  expect(odd).toEqual([{ name: 'loss.weight', found: [1], status: 'not in the model' }]);
});

test('a model whose own names begin alike keeps them', () => {
  const { layers, ...rest } = models.get('mlp');
  const inside = layers.map((layer) => ({ ...layer, name: `model.${layer.name}` }));
  const model = { ...rest, name: 'inside', layers: inside };
  const weights = typicalParameters(model.layers, [1, ...model.input]);
  expect(fromStateDict('w.pt', weights, {}, { model }).parameters).toEqual(weights);
});

test('sizes without values, and a model of more than its weights, take no memory', () => {
  const empty = new Map(weightsOf('lenet5')).set('fc3.weight', { shape: [2e9, 0], data: new Float32Array() });
  const start = processorTime();
  const { model, matches } = fromStateDict('w.pt', empty, {}, { model: models.get('lenet5') });
  expect(model.classes).toBe(10);
  expect(matches?.find(({ name }) => name === 'fc3.weight')?.status).toBe('other shape');

  const last = { name: 'last', op: 'linear', attributes: { outFeatures: 10, bias: false } };
  const wide = { name: 'wide', op: 'linear', attributes: { outFeatures: 1e7, bias: false } };
  const small = models.get('mlp');
  const own = { ...small, layers: [...small.layers, wide, last] };
  expect(() => fromStateDict('w.safetensors', weightsOf('mlp'), { model: own }, {})).toThrow(
    /^w\.safetensors, metadata "model": expected tensors of at most \d+ bytes/,
  );
  expect(() => fromStateDict('w.pt', new Map(), {}, { model: own })).toThrow(/0 of \d+ parameters agree/);
  expectWithin(300, start);
});

test('weights of nothing that is here', () => {
  const other = new Map([['a.weight', { shape: [2, 3], data: new Float32Array(6) }]]);
  expect(() => fromStateDict('w.pt', other, {}, {})).toThrow(
    'w.pt contains only weights, and no model of wgrad has tensors of these names and shapes',
  );
  expect(() => fromStateDict('w.pt', other, {}, { model: models.get('lenet5') })).toThrow(
    /^w\.pt: weights, which do not fit LeNet-5: 0 of 10 parameters agree/,
  );
});

test('a name that begins with thousands of wrappers', () => {
  const tensor = { shape: [1], data: new Float32Array(1) };
  const wrapped = new Map([[`${'module.'.repeat(100_000)}w`, tensor]]);
  expect(() => fromStateDict('w.pt', wrapped, {}, {})).toThrow(/^w\.pt contains only weights/);
});
