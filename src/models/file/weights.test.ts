import { expect, test } from 'vitest';
import { models } from '../index.ts';
import { readWeightsMetadata, weightsMetadata } from './weights.ts';

const info = {
  model: models.get('lenet5'),
  classes: ['0', 'one, "1"'],
  dataset: 'digits',
  normalisation: { mean: [0.1307, 0.25], std: [0.3081, 1e-4] },
};

test('what is written is read', () => {
  expect(readWeightsMetadata('w', weightsMetadata(info))).toEqual(info);
  expect(readWeightsMetadata('w', weightsMetadata({}))).toEqual({});
  // Other programs write other things.
  expect(readWeightsMetadata('w', new Map([['format', 'pt']]))).toEqual({});
});

test('a model that is too long for the metadata is left out', () => {
  const model = { ...info.model, description: 'x'.repeat(2 ** 18) };
  expect(weightsMetadata({ ...info, model }).has('model')).toBe(false);
});

test.each([
  ['model', '{', /w, metadata "model", line 1, column 2/],
  ['classes', '["a", 1]', /w: expected metadata "classes" to be a JSON list of names, found "\["a", 1\]"/],
  ['classes', 'a,b', /"classes" to be a JSON list/],
  ['mean', '0.1,,2', /"mean" to be numbers separated by commas, found "0.1,,2"/],
  ['std', '0.1,0', /"std" to be 2 numbers above 0/],
  ['std', '1', /"std" to be 2 numbers above 0, as many as mean has, found "1"/],
])('a wrong %s is refused: %s', (key, value, message) => {
  const metadata = new Map([...weightsMetadata(info), [key, value]]);
  expect(() => readWeightsMetadata('w', metadata)).toThrow(message);
});
