import { expect, test } from 'vitest';
import { models } from '../index.ts';
import { readWeightsMetadata, requireFit, weightsMetadata } from './weights.ts';

const info = {
  model: models.get('resnet8'),
  classes: ['0', 'one, "1"', ...Array.from('23456789')],
  dataset: 'shapes',
  normalisation: { mean: [0.1307, 0.25, 0], std: [0.3081, 1e-4, 1] },
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
  ['std', '0.1,1,0', /"std" to be 3 numbers above 0/],
  ['std', '1', /"std" to be 3 numbers above 0, as many as mean has, found "1"/],
  ['classes', '["a", "b"]', /"classes" to be 10 names, as the model has classes, found "2 names"/],
])('a wrong %s is refused: %s', (key, value, message) => {
  const metadata = new Map([...weightsMetadata(info), [key, value]]);
  expect(() => readWeightsMetadata('w', metadata)).toThrow(message);
});

test('weights that are missing are so before memory is taken for all', () => {
  const { layers, ...rest } = models.get('mlp');
  const wide = { name: 'wide', op: 'linear', attributes: { outFeatures: 2e7, bias: false } };
  const last = { name: 'last', op: 'linear', attributes: { outFeatures: 10, bias: false } };
  const before = process.memoryUsage().arrayBuffers;
  const found = new Map<string, { shape: number[]; data: Float32Array }>();
  // What is taken stays until it is collected.
  expect(() => requireFit('w', { ...rest, layers: [...layers, wide, last] }, found)).toThrow(
    /"fc1.weight" is missing/,
  );
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100e6);
});

test('a normalisation of other images than the model takes is refused', () => {
  const metadata = new Map([...weightsMetadata(info), ['mean', '0.5'], ['std', '0.5']]);
  expect(() => readWeightsMetadata('w', metadata)).toThrow(
    /"mean" to be 3 numbers, as the model’s images have channels, found "0.5"/,
  );
});
