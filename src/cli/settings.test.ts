import { describe, expect, test } from 'vitest';
import { NO_AUGMENTATION, type Augmentation } from '../base/augmentation.ts';
import { Failure } from '../base/result.ts';
import type { Dataset } from '../data/dataset.ts';
import { models } from '../models/index.ts';
import { presets, settingsOf } from '../run/presets.ts';
import { SETTING_KEYS } from '../run/settings/table.ts';
import { trainingConfig } from '../train/config.ts';
import { learningRates } from '../train/schedules/learning-rate.ts';
import { help, parse } from './arguments.ts';
import train from './commands/train.ts';
import { optionName, readSettings, settingOptions, withPreset } from './settings.ts';

const options = settingOptions();
const words = (line: string) => (line === '' ? [] : line.split(' '));

/** 100 images: 12.5 steps per epoch with batches of 8. */
const data = {
  name: 'blank',
  shape: [1, 28, 28],
  classes: Array.from({ length: 10 }, String),
  train: { count: 100 },
} as unknown as Dataset;

/** A run of 30 epochs. */
function read(line: string) {
  const settings = readSettings(parse(words(`--epochs 30 --batch-size 8 ${line}`.trim()), options).options);
  return trainingConfig(settings, models.get('lenet5'), data, optionName);
}

const ratesOf = (line: string) => {
  const { lr, learningRate } = read(line);
  return learningRate ? learningRates(lr, learningRate) : () => NaN;
};

test('the default is Adam with a constant learning rate', () => {
  expect(read('')).toMatchObject({
    optimizer: 'adam',
    lr: 1e-3,
    weightDecay: 0,
    eps: 1e-8,
    decay1d: true,
    lastStep: 375,
    labelSmoothing: 0,
  });
  expect(read('')).not.toHaveProperty('clipNorm');
  expect(read('')).not.toHaveProperty('learningRate');
});

test('all settings of rmsprop, of the loss and of the gradients', () => {
  const line =
    '--optimizer rmsprop --lr 0.02 --momentum 0.5 --alpha 0.9 --centered --eps 1e-3 --weight-decay 1e-4 ' +
    '--no-decay-1d --clip-norm 2 --label-smoothing 0.1';
  expect(read(line)).toMatchObject({
    optimizer: 'rmsprop',
    lr: 0.02,
    momentum: 0.5,
    alpha: 0.9,
    centered: true,
    eps: 1e-3,
    weightDecay: 1e-4,
    decay1d: false,
    clipNorm: 2,
    labelSmoothing: 0.1,
  });
});

test("images are augmented by the data set's default, by the option, or not at all", () => {
  const usual = { ...NO_AUGMENTATION, crop: 4, flip: 1 };
  const of = (line: string, augmentation?: Augmentation) =>
    readSettings(parse(words(line), options).options, augmentation).augmentation;
  expect(of('')).toEqual(NO_AUGMENTATION);
  expect(of('', usual)).toEqual(usual);
  expect(of('--no-augment', usual)).toEqual(NO_AUGMENTATION);
  expect(of('--augment crop=2,mixup', usual)).toEqual({ ...NO_AUGMENTATION, crop: 2, mixup: 0.2 });
  expect(() => of('--augment crop --no-augment')).toThrow('give either --augment or --no-augment');
  expect(() => of('--augment turn=3')).toThrow(
    '--augment: expected some of crop, reflect, flip, alternate, cutout, mixup',
  );
});

test('epochs become steps', () => {
  const line = '--lr 0.4 --schedule step --step-epochs 10 --gamma 0.5 --warmup-epochs 2';
  expect(read(line).learningRate).toEqual({
    schedule: 'step',
    steps: 375,
    warmupSteps: 25,
    stepSize: 125,
    gamma: 0.5,
  });
  const rate = ratesOf(line);
  expect([0, 24, 25, 149, 150, 374].map(rate)).toEqual([0.016, 0.4, 0.4, 0.4, 0.2, 0.1]);
});

describe('conflicting settings are refused in one line', () => {
  test.each([
    ['--optimizer adam --momentum 0.9', '--momentum requires --optimizer sgd, rmsprop or muon, found adam'],
    ['--optimizer rmsprop --nesterov', '--nesterov requires --optimizer sgd or muon, found rmsprop'],
    ['--optimizer sgd --alpha 0.9', '--alpha requires --optimizer rmsprop, found sgd'],
    ['--centered', '--centered requires --optimizer rmsprop, found adam'],
    ['--optimizer sgd --eps 0', '--eps requires --optimizer adam, adamw, rmsprop or muon, found sgd'],
    ['--no-decay-1d', '--no-decay-1d requires --weight-decay greater than 0'],
    ['--gamma 0.5', '--gamma requires --schedule step, found constant'],
    ['--schedule cosine --step-epochs 3', '--step-epochs requires --schedule step, found cosine'],
    ['--schedule step --min-lr 1e-4', '--min-lr requires --schedule linear or cosine, found step'],
    ['--schedule cosine --min-lr 0.1', '--min-lr: expected at most the learning rate, 0.001, found 0.1'],
    ['--warmup-epochs 30', "--warmup-epochs: expected less than the run's 30 epochs, found 30"],
    [
      '--schedule line',
      '--schedule: expected one of constant, step, linear, cosine, one-cycle, found "line"',
    ],
    ['--label-smoothing 1.5', '--label-smoothing: expected a number from 0 to 1, found "1.5"'],
    ['--clip-norm 0', '--clip-norm: expected a number greater than 0, found "0"'],
  ])('%s', (line, message) => {
    expect(() => read(line)).toThrow(new Failure('bad-input', message));
  });

  test('a momentum of 0 means no momentum', () => {
    expect(read('--optimizer adam --momentum 0').momentum).toBe(0);
  });
});

describe('--preset', () => {
  const readPreset = (given: string) => parse(withPreset(words(given)), train.options).options;

  test.each(presets.names())('%s sets just what it says', (name) => {
    const preset = presets.get(name);
    const given = readPreset(`--preset ${name}`);
    expect(given).toMatchObject({ model: preset.model, dataset: preset.dataset });
    expect(readSettings(given)).toEqual(settingsOf(preset));
  });

  test('options given with it take precedence', () => {
    const given = readPreset('--lr=0.3 --preset=resnet20-cifar-10 --model resnet8 --seed 7');
    expect(given).toMatchObject({ lr: 0.3, model: 'resnet8', seed: 7, 'batch-size': 128, momentum: 0.9 });
  });

  test('settings of another optimiser or schedule are not mixed in', () => {
    const given = readPreset('--preset resnet20-cifar-10 --optimizer adam --schedule one-cycle');
    expect(given).toMatchObject({
      lr: undefined,
      momentum: undefined,
      nesterov: undefined,
      'warmup-epochs': undefined,
    });
  });

  test('steps instead of epochs, images without augmentation', () => {
    const given = readPreset('--preset resnet20-cifar-10 --steps 5 --no-augment');
    expect(given).toMatchObject({ steps: 5, epochs: undefined, augment: undefined, 'no-augment': true });
  });

  test('images may be augmented if the preset does not', () => {
    const given = readPreset('--preset lenet5-mnist-sprint --augment crop=2');
    expect(given).toMatchObject({ 'no-augment': false });
  });

  test('an unknown one is refused with a list; resumed runs accept none', () => {
    expect(() => withPreset(['--preset', 'nonsense'])).toThrow('no preset named "nonsense"');
    expect(() => withPreset(['--preset', 'lenet5-mnist', '--resume', 'a'])).toThrow('--resume');
  });
});

test('the help lists every setting with its default', () => {
  const shown = help('train', 'Trains', train.options);
  for (const key of SETTING_KEYS) expect(shown).toContain(optionName(key));
  expect(shown).toMatch(/--lr X +Step size.*default 0.001, for sgd 0.05/);
  expect(shown).not.toContain('[object Object]');
  expect(shown).not.toContain('(default )');
});

test('frozen layers are names separated by commas', () => {
  expect(read('--freeze conv1,layer1.0').freeze).toEqual(['conv1', 'layer1.0']);
  expect(() => read('--freeze conv1,,fc')).toThrow('--freeze: expected names, separated by commas');
});

test('a precision has one name, and still accepts its old one', () => {
  expect(read('--precision single').precision).toBe('float32');
  expect(read('--precision mixed').mixed).toBeDefined();
});
