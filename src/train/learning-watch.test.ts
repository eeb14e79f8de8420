import { expect, test } from 'vitest';
import { Random } from '../base/random.ts';
import { guessingLoss, LearningWatch } from './learning-watch.ts';
import { ratesToTry } from './rescue.ts';

const even = Uint8Array.from({ length: 1000 }, (_, i) => i % 10);

test('guessing follows from how often the classes occur, and from label smoothing', () => {
  expect(guessingLoss(even, 10)).toBeCloseTo(Math.log(10), 12);
  expect(guessingLoss(even, 10, 0.2)).toBeCloseTo(Math.log(10), 12);
  // Nine of ten images are of one class: to answer that one is right so often.
  const uneven = Uint8Array.from({ length: 1000 }, (_, i) => (i % 10 === 0 ? 1 : 0));
  expect(guessingLoss(uneven, 2)).toBeCloseTo(-0.9 * Math.log(0.9) - 0.1 * Math.log(0.1), 12);
  expect(guessingLoss(uneven, 2, 1)).toBeCloseTo(Math.log(2), 12);
  expect(guessingLoss(new Uint8Array(8), 4)).toBe(0);
  // With balanced weights, both classes count alike.
  expect(guessingLoss(uneven, 2, 0, [5 / 9, 5])).toBeCloseTo(Math.log(2), 12);
  expect(guessingLoss(even, 10, 0.2, Array<number>(10).fill(3))).toBeCloseTo(Math.log(10), 12);
});

/** What is found wrong after each of so many steps. */
function watched(lossOf: (step: number) => number, steps: number, epochSteps = 157) {
  const random = new Random(3, 'losses');
  const watch = new LearningWatch(Math.log(10), epochSteps);
  for (let step = 1; step <= steps; step++) {
    watch.add([lossOf(step) + random.normal(0, 0.05)]);
    const trouble = watch.trouble(step);
    if (trouble) return { step, ...trouble };
  }
  return undefined;
}

test.each<[string, (step: number) => number, number | undefined]>([
  ['stays above guessing', () => 2.4, 30],
  ['rises from guessing', (step) => 2.3 + 0.006 * step, 30],
  ['explodes later', (step) => (step < 200 ? 2.3 * Math.exp(-step / 40) : 5), 220],
  ['falls from far above', (step) => 1 + 9 * Math.exp(-step / 30), undefined],
  ['starts a little above, as deep networks do', (step) => 2.36 * Math.exp(-step / 1000), undefined],
  ['is learnt slowly', (step) => 2.31 * Math.exp(-step / 2000), undefined],
  ['never leaves guessing', () => 2.306, 400],
])('a loss that %s', (_, lossOf, step) => {
  const found = watched(lossOf, 500);
  if (step === undefined) expect(found).toBe(undefined);
  // Noise may hide a few steps.
  else {
    expect(found?.step).toBeGreaterThanOrEqual(step - 8);
    expect(found?.step).toBeLessThanOrEqual(step + 12);
  }
});

test('a network that is at guessing has a whole epoch to leave it; a restart forgets what was seen', () => {
  expect(watched(() => 2.306, 700, 800)).toBe(undefined);
  const watch = new LearningWatch(Math.log(10), 10);
  watch.add(Array<number>(40).fill(3));
  expect(watch.trouble(40)).toMatchObject({ loss: 3, steps: 30 });
  watch.restart();
  expect(watch.trouble(40)).toBe(undefined);
});

test('lower rates are tried, or those around the optimiser’s usual one if the rate is far from it', () => {
  expect(ratesToTry(0.1, 'sgd')).toEqual([0.033, 0.01, 0.001]);
  expect(ratesToTry(100, 'sgd')).toEqual([0.15, 0.05, 0.005]);
  expect(ratesToTry(1e-8, 'adam')).toEqual([0.003, 0.001, 0.0001]);
});
