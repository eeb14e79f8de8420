import { expect, test } from 'vitest';
import { AGREEMENT, firstDifference } from './verdict.ts';

const STEPS = 100;
const here = Float32Array.from({ length: STEPS }, (_, i) => 2.3 / (1 + i / 20));
const compare = (
  change: (loss: number, step: number) => number,
  from = here,
  engine: 'cpu' | 'gpu' = 'gpu',
) =>
  firstDifference(
    engine,
    from.map((loss, i) => change(loss, i + 1)),
    from,
    { every: 1, steps: STEPS },
  );

test('of a run on a GPU, the first losses are near, and the median of each stretch', () => {
  expect(compare((loss) => loss)).toBeUndefined();
  expect(compare((loss, step) => loss + (step <= 25 ? AGREEMENT.firstLoss / 2 : 0.1))).toBeUndefined();
  expect(compare((loss, step) => (step === 9 ? loss + 0.001 : loss))).toMatchObject({ step: 9 });
  // A single spike is chance, a level is not.
  expect(compare((loss, step) => (step === 60 ? 9 : loss))).toBeUndefined();
  expect(compare((loss, step) => (step > 50 ? loss + 0.5 : loss))).toMatchObject({ what: 'loss', step: 51 });
});

test('where training breaks down on a GPU, what comes later is chance', () => {
  const broken = here.map((loss, i) => (i < 30 ? loss : i < 60 ? 1e9 : NaN));
  expect(compare((loss, step) => (step > 30 ? 2 * loss : loss), broken)).toBeUndefined();
  expect(compare((loss, step) => (step === 5 ? 2 * loss : loss), broken)).toMatchObject({ step: 5 });
});

test('of a run on the CPU engine, every bit is the same', () => {
  expect(compare((loss) => loss, here, 'cpu')).toBeUndefined();
  // One that broke down on both sides is the same, too.
  expect(compare((loss) => loss, Float32Array.of(2.3, NaN), 'cpu')).toBeUndefined();
  expect(compare((loss, step) => (step === 77 ? loss + 1e-6 : loss), here, 'cpu')).toMatchObject({
    step: 77,
  });
  expect(compare((loss, step) => (step === 40 ? NaN : loss), here, 'cpu')).toMatchObject({ step: 40 });
});
