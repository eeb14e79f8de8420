import { expect, test } from 'vitest';
import { inferShapes, layoutParameters } from '../../engine/network.ts';
import { flatten, type StateDict } from '../../engine/parameters.ts';
import { typicalParameters } from '../../engine/typical-parameters.ts';
import { fitModel, type Model } from '../model.ts';
import { models } from '../index.ts';
import { matchText, matchWeights } from './match.ts';

const model = models.get('resnet8');
const photos = { name: 'photos', shape: [3, 32, 32], classes: ['cup', 'hand', 'pen'] };
const fitted = fitModel(model, photos);
const weights = typicalParameters(model.layers, [1, ...model.input]);
const matched = (to: Model, from: StateDict) => matchWeights('of a test', to, from, { seed: 1 });

test('all but a new last layer is taken; the new one is as in a run from random weights', () => {
  const { rows, parameters } = matched(fitted, weights);
  const layout = layoutParameters(inferShapes(fitted.layers, [1, ...fitted.input]));
  expect(rows.map(({ name }) => name)).toEqual(layout.names);
  expect(rows.filter(({ status }) => status !== 'taken')).toEqual([
    { name: 'fc.weight', shape: [3, 64], found: [10, 64], status: 'other shape' },
    { name: 'fc.bias', shape: [3], found: [10], status: 'other shape' },
  ]);
  expect(parameters.get('bn1.running_var')).toBe(weights.get('bn1.running_var'));
  expect(() => flatten(layout, parameters)).not.toThrow();
  const [again, other] = [1, 2].map((seed) => matchWeights('', fitted, weights, { seed }).parameters);
  expect(again.get('fc.weight')).toEqual(parameters.get('fc.weight'));
  expect(other.get('fc.weight')).not.toEqual(parameters.get('fc.weight'));
  expect(matchText(rows)).toMatch(
    /^\d+ of \d+ tensors are loaded; new: fc\.weight \[3, 64\] \(there \[10, 64\]\), fc\.bias \[3\] \(there \[10\]\)$/,
  );
});

test('what is missing and what has no place is said; counters of older files may be missing', () => {
  const some = new Map([...weights].filter(([name]) => !/^layer3\.0\.conv2|tracked$/.test(name)));
  some.set('head.weight', { shape: [2], data: new Float32Array(2) });
  const { rows, parameters } = matched(model, some);
  expect(rows.filter(({ status }) => status !== 'taken')).toEqual([
    { name: 'layer3.0.conv2.weight', shape: [64, 64, 3, 3], status: 'missing' },
    { name: 'head.weight', found: [2], status: 'not in the model' },
  ]);
  expect(parameters.get('bn1.num_batches_tracked')?.data).toEqual(Float32Array.of(0));
  expect(matchText(rows)).toMatch(
    /; new: layer3\.0\.conv2\.weight \[64, 64, 3, 3\]; not used: head\.weight$/,
  );
});

test('weights of another network are refused, with the first parameter that does not agree', () => {
  expect(() => matched(models.get('lenet5'), weights)).toThrow(
    'of a test, which do not fit LeNet-5: 0 of 10 parameters agree in name and shape; "conv1.weight" is ' +
      '[6, 1, 5, 5] in the model, [16, 3, 3, 3] in the weights',
  );
});
