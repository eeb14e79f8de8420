import { expect, test } from 'vitest';
import { hrefOf, parseRoute } from '../route.ts';
import { DEFAULT_SETTINGS, type Settings } from '../state/settings.ts';
import { compressed, expanded } from './compress.ts';
import { linkOf, readLink } from './link.ts';

const names = {
  models: [
    { name: 'lenet5', title: 'LeNet-5' },
    { name: 'resnet8', title: 'ResNet-8' },
  ],
  datasets: [{ name: 'digits', title: 'Synthetic digits' }],
};

const changed: Settings = {
  ...DEFAULT_SETTINGS,
  model: 'resnet8',
  optimizer: 'sgd',
  lr: '0.1',
  momentum: '0.9',
  nesterov: 'yes',
  seed: '7',
  stopAccuracy: '99',
  epochs: '3',
  schedule: 'cosine',
  precision: 'mixed',
  augmentation: { crop: '4', reflect: '0', flip: '1', alternate: '0', cutout: '0', mixup: '0' },
};

test('a link contains only differences, is readable, and restores them', () => {
  expect(hrefOf('train', '', linkOf(DEFAULT_SETTINGS))).toBe('#/train?v=2');
  const href = hrefOf('train', '', linkOf(changed));
  expect(href).toBe(
    '#/train?v=2&model=resnet8&optimiser=sgd&lr=0.1&momentum=0.9&nesterov=yes&epochs=3&until=99&schedule=cosine&precision=mixed&seed=7&varied=crop%3D4,flip',
  );
  const { parameters } = parseRoute(href);
  expect(parameters).toHaveProperty('v');
  const read = readLink(parameters, names);
  expect(read.settings).toEqual(changed);
  expect(read.mistakes).toEqual([]);
  expect(read.lines).toContainEqual({ title: 'Model', value: 'ResNet-8' });
});

test('the selection of images and class weights are in a link', () => {
  const selecting = { ...DEFAULT_SETTINGS, validation: '10', trainImages: '50', wrongLabels: '20' };
  for (const classWeights of ['balanced', '1,0.5,2']) {
    const href = hrefOf('train', '', linkOf({ ...selecting, classWeights }));
    expect(href).toBe(`#/train?v=2&classweights=${classWeights}&validation=10&images=50&wrong=20`);
    const read = readLink(parseRoute(href).parameters, names);
    expect(read).toMatchObject({ settings: { ...selecting, classWeights }, mistakes: [] });
  }
  expect(readLink({ v: '2', images: 'all' }, names).settings.trainImages).toBe('');
});

test('a setting that is empty or invalid is left out of the link, which reads without mistakes', () => {
  const link = linkOf({ ...DEFAULT_SETTINGS, lr: '', batchSize: 'many', seed: ' 7 ' });
  expect(link).toEqual({ v: '2', seed: '7' });
  expect(readLink(link, names).mistakes).toEqual([]);
});

test('an invalid part is named, and the rest applies', () => {
  const read = readLink(
    { v: '2', lr: 'fast', seed: '3', model: 'brain', colour: 'red', varied: 'upside' },
    names,
  );
  expect(read.settings).toEqual({ ...DEFAULT_SETTINGS, seed: '3' });
  expect(read.lines).toEqual([{ title: 'Seed', value: '3' }]);
  expect(read.mistakes).toEqual([
    'model: "brain" is not available. Choose one of lenet5, resnet8.',
    'lr: expected a number greater than 0, found "fast".',
    expect.stringMatching(/^varied: expected some of crop/),
    'colour: unknown setting.',
  ]);
});

test('other versions and names of built-in object properties are reported', () => {
  const read = readLink({ v: '9', batch: '', constructor: 'x', nesterov: 'maybe' }, names);
  expect(read.mistakes[0]).toMatch(/version 9/);
  expect(read.mistakes).toHaveLength(4);
  expect(read.settings).toEqual(DEFAULT_SETTINGS);
});

test('models are compressed, and can be read; damaged ones are refused', async () => {
  const text = JSON.stringify({
    layers: Array.from({ length: 40 }, (_, i) => ({ name: `conv${i}`, op: 'conv' })),
  });
  const code = await compressed(text);
  expect(code.length).toBeLessThan(text.length / 3);
  expect(code).toMatch(/^[\w-]+$/);
  expect(await expanded(code)).toBe(text);
  expect(await expanded(code.slice(0, -8))).toBeUndefined();
  expect(await expanded('*')).toBeUndefined();
  expect(await expanded(await compressed('x'.repeat(2_000_000)))).toBeUndefined();
});
