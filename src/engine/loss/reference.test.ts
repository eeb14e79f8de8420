import { describe, expect, test } from 'vitest';
import { labels as someLabels, normals } from '../testing/fixtures.ts';
import { gradcheck } from '../testing/gradcheck.ts';
import { crossEntropyBackward, crossEntropyForward } from './reference.ts';

describe('forward', () => {
  test('equal logits cost ln(classes)', () => {
    const { loss, predictions, correct } = crossEntropyForward([1, 1, 1, 1], Uint32Array.of(0, 1), 2);
    expect(loss).toBeCloseTo(Math.LN2, 14);
    expect([...predictions]).toEqual([0, 0]);
    expect(correct).toBe(1);
  });

  test('large logits do not overflow', () => {
    const { losses } = crossEntropyForward([1000, 0, -1000, 0], Uint32Array.of(1, 1), 2);
    expect([...losses]).toEqual([1000, 0]);
  });

  test('NaN logits give NaN', () => {
    expect(crossEntropyForward([NaN, 0], Uint32Array.of(1), 2).loss).toBeNaN();
  });
});

test('smoothing 0.1 of two classes: a twentieth of the label goes to the other', () => {
  // Costs ln(1 + e) - 1 and ln(1 + e).
  const { losses } = crossEntropyForward([1, 0], Uint32Array.of(0), 2, 0.1);
  expect(losses[0]).toBeCloseTo(Math.log(1 + Math.E) - 0.95, 14);
  const probability = Math.E / (1 + Math.E);
  const [first, second] = crossEntropyBackward([1, 0], Uint32Array.of(0), 2, 0.1);
  expect(first).toBeCloseTo(probability - 0.95, 14);
  expect(second).toBeCloseTo(1 - probability - 0.05, 14);
});

test.each([0, 0.1, 1])('the gradient agrees with central differences, smoothing %d', (smoothing) => {
  const logits = normals(1, [6, 5]).data;
  const { data: labels } = someLabels(2, 6, 5);
  gradcheck(
    'logits',
    logits,
    (v) => Float64Array.of(crossEntropyForward(v, labels, 5, smoothing).loss),
    ([dy]) => crossEntropyBackward(logits, labels, 5, smoothing).map((gradient) => gradient * dy),
  );
});
