import { expect, test } from 'vitest';
import { asModel, modelKey, OWN_MODEL } from './own-model.ts';

const layer = { name: 'fc', op: 'linear', inputs: ['input'], attributes: { outFeatures: 10 } };
const model = {
  name: 'mine',
  title: 'Mine',
  description: '',
  input: [1, 28, 28],
  classes: 10,
  layers: [layer, { name: 'relu', op: 'relu' }],
};

test('a saved model is restored', () => {
  expect(asModel(JSON.stringify(model))).toEqual(model);
});

test.each([
  ['nothing', null],
  ['no JSON', '{'],
  ['null', 'null'],
  ['a number', '1'],
  ['no layers', JSON.stringify({ ...model, layers: undefined })],
  ['a layer without a name', JSON.stringify({ ...model, layers: [{ op: 'relu' }] })],
  ['a layer that is none', JSON.stringify({ ...model, layers: [null] })],
  ['inputs that are no names', JSON.stringify({ ...model, layers: [{ ...layer, inputs: [1] }] })],
  ['attributes that are null', JSON.stringify({ ...model, layers: [{ ...layer, attributes: null }] })],
  ['infinite images', JSON.stringify({ ...model, input: [1e308, 28, 28] })],
  ['images of a negative size', JSON.stringify({ ...model, input: [1, -1, 28] })],
  ['images without rows', JSON.stringify({ ...model, input: [1, 0, 28] })],
  ['images of half a row', JSON.stringify({ ...model, input: [1, 0.5, 28] })],
  ['images of two sizes', JSON.stringify({ ...model, input: [28, 28] })],
  ['no classes', JSON.stringify({ ...model, classes: 0 })],
  ['nesting', `${JSON.stringify(model).slice(0, -1)},"x":${'['.repeat(1e4)}${']'.repeat(1e4)}}`],
  ['a size that is none', JSON.stringify({ ...model, input: ['1', 28, 28] })],
])('%s is no model', (_, text) => expect(asModel(text)).toBeUndefined());

test('built models share a key, registered ones have their own', () => {
  expect(modelKey(model)).toBe(OWN_MODEL);
  expect(modelKey('lenet5')).toBe('lenet5');
});
