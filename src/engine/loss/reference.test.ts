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

test('the gradient agrees with central differences', () => {
  const logits = normals(1, [6, 5]).data;
  const { data: labels } = someLabels(2, 6, 5);
  gradcheck(
    'logits',
    logits,
    (v) => Float64Array.of(crossEntropyForward(v, labels, 5).loss),
    ([dy]) => crossEntropyBackward(logits, labels, 5).map((gradient) => gradient * dy),
  );
});
