import { expect, test } from 'vitest';
import { checkTask, holds, valueOf, type LessonCheck, type CheckMoment, type CheckedRun } from './checks.ts';

const run = (changes: Partial<CheckedRun> = {}): CheckedRun => ({
  settings: { lr: '0.1', schedule: 'constant' },
  ops: ['conv', 'relu', 'max_pool', 'linear'],
  steps: 157,
  epochs: 1,
  diverged: false,
  loss: 0.3,
  testLoss: 0.4,
  trainAccuracy: 0.95,
  testAccuracy: 0.7,
  ...changes,
});

const moment = (changes: Partial<CheckMoment> = {}): CheckMoment => ({
  next: { settings: { lr: '0.01' }, ops: ['conv', 'linear'] },
  run: run(),
  pad: { network: 'run', confidence: 0.9 },
  ownImages: 0,
  screen: 'inspect/image',
  answer: 2,
  ...changes,
});

const done = (checks: LessonCheck[], at = moment()) => checkTask(checks, at).every((result) => result.holds);

test.each<[string, LessonCheck, boolean]>([
  ['a loss under', { check: 'loss', atMost: 0.3 }, true],
  ['a loss over', { check: 'loss', atLeast: 0.31 }, false],
  ['a test loss', { check: 'test-loss', atLeast: 0.3, atMost: 0.5 }, true],
  ['train accuracy', { check: 'train-accuracy', atLeast: 0.96 }, false],
  ['test accuracy', { check: 'test-accuracy', atMost: 0.7 }, true],
  ['a gap', { check: 'gap', atLeast: 0.2 }, true],
  ['no gap', { check: 'gap', atMost: 0.2 }, false],
  ['epochs', { check: 'epochs', atLeast: 1, atMost: 1 }, true],
  ['steps', { check: 'steps', atLeast: 158 }, false],
  ['NaN', { check: 'diverged' }, false],
  ['the pad', { check: 'confidence', of: 'run', atLeast: 0.9 }, true],
  ['another network on the pad', { check: 'confidence', of: 'trained', atLeast: 0.1 }, false],
  ['own images', { check: 'own-images', atLeast: 1 }, false],
  ['a screen', { check: 'screen', of: 'inspect' }, true],
  ['a view', { check: 'screen', of: 'inspect/network' }, false],
  ['a right answer', { check: 'answer', of: '2' }, true],
  ['a wrong answer', { check: 'answer', of: '1' }, false],
])('%s', (_, check, expected) => expect(done([check])).toBe(expected));

test('settings and layers alone are those of the next run, beside a measured value those of the run', () => {
  const measured: LessonCheck = { check: 'epochs', atLeast: 1 };
  const rate: LessonCheck = { check: 'setting', of: 'lr', atMost: 0.05 };
  const pools: LessonCheck = { check: 'layers', of: 'max_pool', atMost: 0 };
  expect([done([rate]), done([rate, measured])]).toEqual([true, false]);
  expect([done([pools]), done([pools, measured])]).toEqual([true, false]);
  expect(done([{ check: 'setting', of: 'schedule', is: 'constant' }, measured])).toBe(true);
  expect(done([{ check: 'setting', of: 'schedule', is: 'cosine' }, measured])).toBe(false);
});

test('what was not measured yet holds nothing, whatever the limit', () => {
  const none = moment({ run: undefined, pad: undefined, answer: undefined });
  const young = moment({ run: run({ testAccuracy: undefined, trainAccuracy: undefined }) });
  for (const check of ['loss', 'test-accuracy', 'gap', 'steps'] as const)
    expect(done([{ check, atMost: 1e9 }], none), check).toBe(false);
  expect(done([{ check: 'gap', atMost: 1 }], young)).toBe(false);
  expect(done([{ check: 'diverged' }], none)).toBe(false);
  expect(done([{ check: 'answer', of: '2' }], none)).toBe(false);
  expect(
    done(
      [
        { check: 'setting', of: 'lr', atMost: 1 },
        { check: 'steps', atLeast: 0 },
      ],
      none,
    ),
  ).toBe(false);
});

test('a loss that is not a number is over every limit, and an empty setting is no number', () => {
  const nan = moment({ run: run({ loss: NaN, diverged: true }) });
  expect(done([{ check: 'loss', atLeast: 5 }], nan)).toBe(true);
  expect(done([{ check: 'loss', atMost: 5 }], nan)).toBe(false);
  expect(done([{ check: 'diverged' }], nan)).toBe(true);
  expect(holds({ check: 'setting', of: 'epochs', atMost: 5 }, '')).toBe(false);
});

test('a value is read from the run that is there', () => {
  expect(valueOf({ check: 'gap', atLeast: 0 }, moment(), true)).toBeCloseTo(0.25);
  expect(valueOf({ check: 'layers', of: 'conv', atLeast: 0 }, moment(), true)).toBe(1);
});
