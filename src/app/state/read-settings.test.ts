import { describe, expect, test } from 'vitest';
import { NO_AUGMENTATION } from '../../base/augmentation.ts';
import { readSettings, type ChosenData } from './read-settings.ts';
import { DEFAULT_SETTINGS, type Settings } from './settings.ts';

const data = (images: number, augmentation = NO_AUGMENTATION): ChosenData => ({
  counts: { train: images, test: 100 },
  shape: [1, 28, 28],
  augmentation,
});
const read = (change: Partial<Settings>, images = 10_000) =>
  readSettings({ ...DEFAULT_SETTINGS, ...change }, data(images));

describe('readSettings', () => {
  test('reads the defaults', () => {
    expect(read({})).toEqual({
      errors: {},
      config: {
        model: 'lenet5',
        dataset: 'digits',
        batchSize: 64,
        optimizer: { name: 'adam', lr: 0.001, momentum: 0, nesterov: false, weightDecay: 0 },
        augmentation: NO_AUGMENTATION,
        seed: 1,
      },
    });
  });

  test.each([
    ['batchSize', '0'],
    ['batchSize', '2.5'],
    ['batchSize', '10001'],
    ['batchSize', ''],
    ['lr', '0'],
    ['lr', '-1'],
    ['lr', 'fast'],
    ['lr', 'Infinity'],
    ['weightDecay', '-0.1'],
    ['seed', '-1'],
    ['seed', '4294967296'],
    ['stopAccuracy', '0'],
    ['stopAccuracy', '101'],
    ['patience', '0'],
    ['patience', '1.5'],
  ] as const)('refuses %s = "%s"', (field, text) => {
    const { config, errors } = read({ [field]: text }, 9000);
    expect(config).toBeUndefined();
    expect(Object.keys(errors)).toEqual([field]);
  });

  test('rules for resting are there only where something was typed', () => {
    expect(read({ stopAccuracy: '97.5' }).config?.stops).toEqual({ accuracy: 0.975 });
    expect(read({ stopAccuracy: '100', patience: '3' }).config?.stops).toEqual({ accuracy: 1, patience: 3 });
  });

  test('a batch can be no larger than the data set', () => {
    expect(read({ batchSize: '500' }, 400).errors.batchSize).toContain('400');
    expect(read({ batchSize: '400' }, 400).config?.batchSize).toBe(400);
  });

  test('images are varied as the data set says, but for what was typed', () => {
    const usual = { ...NO_AUGMENTATION, crop: 4, flip: 1 };
    const varied = (typed: Settings['augmentation']) =>
      readSettings({ ...DEFAULT_SETTINGS, augmentation: typed }, data(100, usual));
    expect(varied({}).errors).toEqual({});
    expect(varied({}).config?.augmentation).toEqual(usual);
    expect(varied({ crop: '0', mixup: '.2' }).config?.augmentation).toEqual({
      ...usual,
      crop: 0,
      mixup: 0.2,
    });
    expect(varied({ crop: '28' }).errors).toEqual({ crop: 'Choose a whole number from 0 to 27.' });
    expect(varied({ cutout: '2.5' }).errors.cutout).toContain('whole number');
    expect(varied({ mixup: 'much' }).errors).toEqual({ mixup: 'Choose a number from 0 to 100.' });
  });

  test('momentum counts with SGD only', () => {
    expect(read({ momentum: 'x' }).config?.optimizer.momentum).toBe(0);
    expect(read({ optimizer: 'sgd', momentum: 'x' }).errors.momentum).toBeDefined();
    expect(read({ optimizer: 'sgd', momentum: '0', nesterov: true }).errors.momentum).toBeDefined();
    expect(read({ optimizer: 'sgd', momentum: '0.9', nesterov: true }).config?.optimizer).toMatchObject({
      momentum: 0.9,
      nesterov: true,
    });
  });
});
