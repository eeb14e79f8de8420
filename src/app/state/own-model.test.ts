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
  ['a size that is none', JSON.stringify({ ...model, input: ['1', 28, 28] })],
])('%s is no model', (_, text) => expect(asModel(text)).toBeUndefined());

test('built models share a key, registered ones have their own', () => {
  expect(modelKey(model)).toBe(OWN_MODEL);
  expect(modelKey('lenet5')).toBe('lenet5');
});
