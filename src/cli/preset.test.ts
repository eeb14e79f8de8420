import { describe, expect, test } from 'vitest';
import { Failure } from '../base/result.ts';
import { presets } from '../train/presets/registry.ts';
import { parse } from './arguments.ts';
import train from './commands/train.ts';
import { withPreset } from './preset.ts';

const options = (...words: string[]) => parse(withPreset(words), train.options).options;

describe('--preset', () => {
  test.each(presets.names())('%s is read as it is meant', (name) => {
    const preset = presets.get(name);
    const read = options('--preset', name);
    expect(read).toMatchObject({
      model: preset.model,
      dataset: preset.dataset,
      epochs: preset.epochs,
      'batch-size': preset.batchSize,
      optimizer: preset.optimizer,
      lr: preset.settings.lr,
      momentum: preset.settings.momentum,
      nesterov: preset.settings.nesterov ?? false,
      'weight-decay': preset.settings.weightDecay,
      schedule: preset.schedule ?? 'constant',
      'warmup-epochs': preset.warmupEpochs ?? 0,
      'no-augment': preset.augmentation === undefined,
    });
  });

  test('what is given beside it counts more', () => {
    const read = options('--lr=0.3', '--preset=resnet20-cifar-10', '--model', 'resnet8', '--seed', '7');
    expect(read).toMatchObject({ lr: 0.3, model: 'resnet8', seed: 7, 'batch-size': 128, momentum: 0.9 });
  });

  test('settings of another optimiser or schedule are not mixed in', () => {
    const read = options('--preset', 'resnet20-cifar-10', '--optimizer', 'adam', '--schedule', 'one-cycle');
    expect(read).toMatchObject({ lr: undefined, momentum: undefined, nesterov: false, 'warmup-epochs': 0 });
  });

  test('steps in place of epochs, images as they are', () => {
    const read = options('--preset', 'resnet20-cifar-10', '--steps', '5', '--no-augment');
    expect(read).toMatchObject({ steps: 5, epochs: undefined, augment: undefined, 'no-augment': true });
  });

  test('images may be varied where the preset does not', () => {
    const read = options('--preset', 'lenet5-mnist-sprint', '--augment', 'crop=2');
    expect(read).toMatchObject({ 'no-augment': false });
  });

  test('lines without it stay as they are', () => {
    expect(withPreset(['--model', 'lenet5'])).toEqual(['--model', 'lenet5']);
  });

  test('an unknown one is answered with those there are; resumed runs take none', () => {
    expect(() => withPreset(['--preset', 'nonsense'])).toThrow(Failure);
    expect(() => withPreset(['--preset', 'nonsense'])).toThrow('no preset named "nonsense"');
    expect(() => withPreset(['--preset', 'lenet5-mnist', '--resume', 'a'])).toThrow('--resume');
  });
});
