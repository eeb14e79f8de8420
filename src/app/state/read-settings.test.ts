import { describe, expect, test } from 'vitest';
import { NO_AUGMENTATION } from '../../base/augmentation.ts';
import { completed } from '../../run/settings/rules.ts';
import { readSettings, type ChosenData } from './read-settings.ts';
import { DEFAULT_SETTINGS, formOf, withOptimizer, type Settings } from './settings.ts';

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
      config: { ...completed({}), model: 'lenet5', dataset: 'digits' },
    });
  });

  test('what a setting refuses is an error of its field, and there is no configuration', () => {
    const { config, errors } = read({ batchSize: '10001', seed: '-1' }, 9000);
    expect(config).toBeUndefined();
    expect(Object.keys(errors).toSorted()).toEqual(['batchSize', 'seed']);
  });

  test('rules for early stopping exist only if something was typed', () => {
    expect(read({}).config).not.toHaveProperty('stopAccuracy');
    expect(read({ stopAccuracy: '97.5' }).config?.stopAccuracy).toBe(0.975);
    expect(read({ stopAccuracy: '100', patience: '3' }).config).toMatchObject({
      stopAccuracy: 1,
      patience: 3,
    });
  });

  test('a batch can be no larger than the data set', () => {
    expect(read({ batchSize: '500' }, 400).errors.batchSize).toContain('400');
    expect(read({ batchSize: '400' }, 400).config?.batchSize).toBe(400);
  });

  test('of fewer training images, too, a batch can be no larger; of those held back, none are trained on', () => {
    expect(read({ trainImages: '50' }).errors.batchSize).toContain('50');
    expect(read({ trainImages: '50', batchSize: '50' }).config?.trainImages).toBe(50);
    expect(read({ trainImages: '351', validation: '12.5' }, 400).errors.trainImages).toContain('350');
    const { config } = read({ validation: '12.5', wrongLabels: '20', classWeights: 'balanced' }, 400);
    expect(config).toMatchObject({ validation: 0.125, wrongLabels: 0.2, classWeights: 'balanced' });
    expect(read({ classWeights: '1,2' }).config?.classWeights).toEqual([1, 2]);
    expect(read({}).config).not.toHaveProperty('classWeights');
  });

  test('images are augmented by the default of the data set, except for typed values', () => {
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
    expect(varied({ crop: '28' }).errors).toEqual({ crop: 'Enter a whole number from 0 to 27.' });
    expect(varied({ cutout: '2.5' }).errors.cutout).toContain('whole number');
    expect(varied({ mixup: 'much' }).errors).toEqual({ mixup: 'Enter a number from 0 to 100.' });
  });

  test('momentum applies to SGD and RMSProp only', () => {
    expect(read({ momentum: 'x' }).config?.momentum).toBe(0);
    expect(read({ optimizer: 'sgd', momentum: 'x' }).errors.momentum).toBeDefined();
    expect(read({ optimizer: 'sgd', momentum: '0', nesterov: 'yes' }).errors.momentum).toBeDefined();
    expect(read({ optimizer: 'sgd', momentum: '0.9', nesterov: 'yes' }).config).toMatchObject({
      momentum: 0.9,
      nesterov: true,
    });
  });

  test('errors are one sentence each, by the rule of the setting', () => {
    expect(
      read({ lr: '0', momentum: '1', optimizer: 'sgd', stopAccuracy: '101', patience: '' }).errors,
    ).toEqual({
      lr: 'Enter a number greater than 0.',
      momentum: 'Enter a number of at least 0 and less than 1.',
      stopAccuracy: 'Enter a number greater than 0 and at most 100.',
    });
    expect(read({ schedule: 'cosine' }).errors).toEqual({
      epochs: 'Enter a number of epochs, which a learning rate schedule requires.',
    });
    expect(read({ lookahead: '5' }).errors).toEqual({
      epochs: 'Enter a number of epochs, which lookahead requires.',
    });
    expect(read({ lookahead: '5', ema: '0.9', epochs: '3' }).errors).toEqual({
      lookahead: 'Enter none beside weight averaging, of which it is another kind.',
    });
    expect(read({ warmupEpochs: '3', epochs: '3' }).errors).toEqual({
      warmupEpochs: "Enter less than the run's 3 epochs.",
    });
  });

  test('settings that do not apply are not read', () => {
    expect(read({ gamma: 'x', alpha: '', decay1d: 'no' }).errors).toEqual({});
    expect(read({ decay1d: 'no' }).config?.decay1d).toBe(true);
    expect(read({ decay1d: 'no', weightDecay: '1e-4' }).config?.decay1d).toBe(false);
  });

  test('an optimiser sets its defaults', () => {
    const usual = { momentum: '0', eps: '1e-8' };
    expect(withOptimizer('sgd')).toEqual({ ...usual, optimizer: 'sgd', lr: '0.05', weightDecay: '0' });
    const decay = { lr: '0.001', weightDecay: '0.01' };
    expect(withOptimizer('adamw')).toEqual({ ...usual, ...decay, optimizer: 'adamw' });
  });

  test('the settings of a run are shown as typed', () => {
    const typed = { ...DEFAULT_SETTINGS, optimizer: 'sgd', lr: '0.1', momentum: '0.9', stopAccuracy: '98' };
    const { config } = readSettings(typed, data(1000));
    if (!config) throw new Error('expected a configuration');
    const augmentation = { crop: '0', reflect: '0', flip: '0', alternate: '0', cutout: '0', mixup: '0' };
    expect(formOf(config)).toEqual({ ...typed, augmentation });
  });
});
