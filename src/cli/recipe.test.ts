import { describe, expect, test } from 'vitest';
import { NO_AUGMENTATION, type Augmentation } from '../base/augmentation.ts';
import { Failure } from '../base/result.ts';
import { learningRates } from '../train/schedules/learning-rate.ts';
import { parse } from './arguments.ts';
import { readRecipe, recipeOptions } from './recipe.ts';

/** A run of 30 epochs, of 12.5 steps each. */
const read = (line: string) =>
  readRecipe(parse(line === '' ? [] : line.split(' '), recipeOptions).options, {
    steps: 375,
    stepsPerEpoch: 12.5,
  });

const ratesOf = (line: string) => {
  const { settings, learningRate } = read(line);
  return learningRate ? learningRates(settings.lr, learningRate) : () => NaN;
};

test('nothing said is Adam with a constant learning rate', () => {
  expect(read('')).toMatchObject({
    optimizer: 'adam',
    settings: { lr: 1e-3, weightDecay: 0, eps: 1e-8, decay1d: true },
    learningRate: { schedule: 'constant', steps: 375, warmupSteps: 0 },
    labelSmoothing: 0,
  });
  expect(read('')).not.toHaveProperty('clipNorm');
});

test('every optimiser has a usual learning rate', () => {
  const lr = (name: string) => read(`--optimizer ${name}`).settings.lr;
  expect(['sgd', 'adam', 'adamw', 'rmsprop'].map(lr)).toEqual([0.05, 1e-3, 1e-3, 1e-3]);
});

test('all of rmsprop, of the loss and of the gradients', () => {
  const line =
    '--optimizer rmsprop --lr 0.02 --momentum 0.5 --alpha 0.9 --centered --eps 1e-3 --weight-decay 1e-4 ' +
    '--no-decay-1d --clip-norm 2 --label-smoothing 0.1';
  expect(read(line)).toMatchObject({
    optimizer: 'rmsprop',
    settings: {
      lr: 0.02,
      momentum: 0.5,
      alpha: 0.9,
      centered: true,
      eps: 1e-3,
      weightDecay: 1e-4,
      decay1d: false,
    },
    clipNorm: 2,
    labelSmoothing: 0.1,
  });
});

test('images are varied as the data set says, or as is said, or not at all', () => {
  const usual = { crop: 4, flip: 1, cutout: 0, mixup: 0 };
  const of = (line: string, augmentation?: Augmentation) =>
    readRecipe(parse(line === '' ? [] : line.split(' '), recipeOptions).options, {
      steps: 10,
      stepsPerEpoch: 5,
      ...(augmentation ? { augmentation } : {}),
    }).augmentation;
  expect(of('')).toEqual(NO_AUGMENTATION);
  expect(of('', usual)).toEqual(usual);
  expect(of('--no-augment', usual)).toEqual(NO_AUGMENTATION);
  expect(of('--augment crop=2,mixup', usual)).toEqual({ crop: 2, flip: 0, cutout: 0, mixup: 0.2 });
  expect(() => of('--augment crop --no-augment')).toThrow('give either --augment or --no-augment');
  expect(() => of('--augment turn=3')).toThrow('--augment: expected some of crop, flip, cutout, mixup');
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

test('a cosine ends near its least', () => {
  const rate = ratesOf('--lr 0.4 --schedule cosine --min-lr 0.1');
  expect(rate(0)).toBe(0.4);
  expect(rate(374)).toBeCloseTo(0.1, 4);
});

describe('what does not go together is refused in one line', () => {
  test.each([
    ['--optimizer adam --momentum 0.9', '--momentum is for --optimizer rmsprop, sgd; it is adam'],
    ['--optimizer rmsprop --nesterov', '--nesterov is for --optimizer sgd; it is rmsprop'],
    ['--optimizer sgd --alpha 0.9', '--alpha is for --optimizer rmsprop; it is sgd'],
    ['--centered', '--centered is for --optimizer rmsprop; it is adam'],
    ['--optimizer sgd --eps 0', '--eps is for --optimizer adam, adamw, rmsprop; it is sgd'],
    ['--no-decay-1d', '--no-decay-1d: there is no weight decay to leave them out of'],
    ['--gamma 0.5', '--gamma is for --schedule step; it is constant'],
    ['--schedule cosine --step-epochs 3', '--step-epochs is for --schedule step; it is cosine'],
    ['--schedule step --min-lr 0', '--min-lr is for --schedule cosine; it is step'],
    ['--schedule cosine --min-lr 0.1', '--min-lr: expected at most the learning rate, 0.001, found 0.1'],
    ['--warmup-epochs 30', "--warmup-epochs: expected less than the run's 30, found 30"],
    ['--schedule linear', '--schedule: expected one of constant, cosine, one-cycle, step, found "linear"'],
    ['--label-smoothing 1.5', '--label-smoothing: expected a number of at most 1, found "1.5"'],
    ['--clip-norm 0', '--clip-norm: expected a number above 0, found "0"'],
  ])('%s', (line, message) => {
    expect(() => read(line)).toThrow(new Failure('bad-input', message));
  });

  test('a momentum of 0 is none', () => {
    expect(read('--optimizer adam --momentum 0').settings.momentum).toBe(0);
  });
});
