import { expect, test } from 'vitest';
import { CurveLog } from './curve-log.ts';
import type { StepRow } from './rows.ts';

const row = (step: number): StepRow =>
  ({
    step,
    loss: 1 / step,
    accuracy: 0.5,
    imagesPerSecond: 100,
    learningRate: step,
    'updateRatio.conv1': step,
  }) as StepRow;
const rows = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => row(from + i));

test('every step is a point at first; later points stand for more steps, and the number of points is bounded', () => {
  const log = new CurveLog(10);
  log.add(rows(1, 16_383));
  expect(log.count).toBe(16_383);
  for (let step = 16_384; step <= 1_000_000; step += 50_000)
    log.add(rows(step, Math.min(step + 49_999, 1_000_000)));
  // 16,383 steps, and 8,192 points for each of the six doublings, the last one in part.
  expect(log.count).toBeLessThan(16_384 + 6 * 8192);
  const { step, loss, learningRate, seconds } = log.points();
  expect([...step.subarray(16_382, 16_386)]).toEqual([16_383, 16_384, 16_386, 16_388]);
  expect(loss[16_384]).toBeCloseTo((1 / 16_385 + 1 / 16_386) / 2, 9);
  expect(learningRate?.[16_384]).toBe(16_386);
  // 10 images at 100 per second are a tenth of a second.
  expect(seconds?.[99]).toBeCloseTo(10, 4);
});

test('a run that resumes has the curve of one that never stopped', () => {
  const whole = new CurveLog(10);
  whole.add(rows(1, 20_000));
  const first = new CurveLog(10);
  first.add(rows(1, 18_000));
  const second = new CurveLog(10, first.points());
  second.cut(17_000);
  second.add(rows(17_001, 20_000));
  const [a, b] = [whole.points(), second.points()];
  expect(b.step).toEqual(a.step);
  expect(b.loss).toEqual(a.loss);
  for (let i = 0; i < a.step.length; i += 500) {
    expect(b.smoothLoss[i]).toBeCloseTo(a.smoothLoss[i], 6);
    expect(b.seconds?.[i]).toBeCloseTo(a.seconds?.[i] ?? NaN, 1);
  }
});

test('repeated steps replace what was there, and the first changed point is known', () => {
  const log = new CurveLog(10);
  log.add(rows(1, 100));
  log.changedFrom = Infinity;
  log.add(rows(51, 60));
  expect(log.changedFrom).toBe(50);
  expect([log.count, log.lastStep]).toEqual([60, 60]);
});

test('a point under way is completed on request, and a column that comes late is unknown before', () => {
  const log = new CurveLog(10);
  log.add(rows(1, 16_385));
  expect(log.points().step.at(-1)).toBe(16_384);
  log.complete();
  expect(log.points().step.at(-1)).toBe(16_385);
  log.add([{ ...row(16_386), 'updateRatio.conv2': 7 } as StepRow]);
  const late = log.points()['updateRatio.conv2'];
  expect([late?.[0], late?.at(-1)]).toEqual([NaN, 7]);
});

test('a loss that is not finite does not spoil the average', () => {
  const log = new CurveLog(10);
  log.add([row(1), { ...row(2), loss: NaN }, row(3)]);
  const { loss, smoothLoss } = log.points();
  expect(Number.isNaN(loss[1])).toBe(true);
  expect([...smoothLoss].every(Number.isFinite)).toBe(true);
  expect(log.sketch('smoothLoss', 2)).toHaveLength(2);
});
