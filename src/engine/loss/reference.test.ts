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

/** Computed by PyTorch 2.13: cross_entropy(logits, labels, weight=weights, label_smoothing=smoothing), in float64. */
const WEIGHTED = {
  logits: [1, 2, -0.5, 0, -1, 3, 0.25, 0.5, 0.75, 2, 2, 0],
  labels: Uint32Array.of(0, 2, 1, 2),
  weights: [0.5, 2, 1.25],
  of: [
    {
      smoothing: 0,
      loss: 1.2910160318067752,
      gradient: [
        -0.07462838183649748, 0.06896720861245036, 0.005661173224047128, 0.011653155644493473,
        0.004286956386380097, -0.01594011203087356, 0.10171008503618627, -0.26940166568006535,
        0.1676915806438791, 0.1170776327083703, 0.1170776327083703, -0.2341552654167406,
      ],
    },
    {
      smoothing: 0.2,
      loss: 1.3544153935635186,
      gradient: [
        -0.053683563054113384, 0.0629907045295188, -0.0093071414754054, 0.004986488977826806,
        -0.02237971028028657, 0.017393221302459766, 0.08741516199180563, -0.2258632074207271,
        0.13844804542892147, 0.11041096604170363, 0.09041096604170362, -0.20082193208340726,
      ],
    },
  ],
};

test.each(WEIGHTED.of)('class weights, smoothing $smoothing: as PyTorch', ({ smoothing, loss, gradient }) => {
  const { logits, labels, weights } = WEIGHTED;
  expect(crossEntropyForward(logits, labels, 3, smoothing, weights).loss).toBeCloseTo(loss, 14);
  const found = crossEntropyBackward(logits, labels, 3, smoothing, weights);
  gradient.forEach((value, i) => expect(found[i]).toBeCloseTo(value, 15));
});
