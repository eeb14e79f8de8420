import { expect, test } from 'vitest';
import { lossDifference, testDifference } from './verdict.ts';

const LOSSES = Float32Array.of(2.3, 1.5, NaN, 0);
const compare = (recomputed: Float32Array) => lossDifference({ every: 5 }, 18, LOSSES, recomputed);

test('every bit of a loss is compared, and of one that is no number, that it is none', () => {
  expect(compare(LOSSES)).toBeUndefined();
  expect(compare(LOSSES.with(1, 1.5000001))).toMatchObject({ step: 10, there: 1.5 });
  expect(compare(LOSSES.with(2, 1e9))).toMatchObject({ step: 15, there: NaN, here: 1e9 });
  expect(compare(LOSSES.with(3, -0))).toMatchObject({ step: 18 });
  // It broke down before the file says.
  expect(compare(LOSSES.slice(0, 1))).toMatchObject({ step: 10, there: 1.5, here: NaN });
});

test('results of a test are compared, all that there are', () => {
  const given = { step: 4, testLoss: null, testAccuracy: 0.5 };
  // Files have null for what is not finite.
  expect(testDifference(given, { testLoss: Infinity, testAccuracy: 0.5 })).toBeUndefined();
  expect(testDifference(given, { testLoss: 1, testAccuracy: 0.5 })).toMatchObject({
    what: 'testLoss',
    here: 1,
  });
  expect(testDifference(given)).toMatchObject({ what: 'testAccuracy', step: 4, there: 0.5, here: NaN });
});
