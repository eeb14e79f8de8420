import { expect, test } from 'vitest';
import { normals } from '../../testing/fixtures.ts';
import { CONV_PROBLEMS } from '../../testing/problems.ts';
import { workOutPixel } from './pixel.ts';
import { convProblem, inputShape, weightShape } from './problem.ts';
import { convFprop } from './reference.ts';
import { samplePlaces } from './sample.ts';

/** Those that are fast, each with one image. */
const small = CONV_PROBLEMS.map(({ name, problem }) => ({
  name,
  problem: convProblem({ ...problem, N: 1 }),
})).filter(({ problem: { C, H, W, K } }) => C * H * W < 4096 && K < 64);

test.each(small)('$name: sums are those of the reference', ({ problem }) => {
  const { K, P, Q, R, S } = problem;
  const x = normals(1, inputShape(problem)).data;
  const w = normals(2, weightShape(problem)).data;
  const bias = normals(3, [K]).data;
  const y = convFprop(problem, x, w, bias);
  for (const at of samplePlaces([K, P, Q], 20)) {
    const place = { k: Math.floor(at / (P * Q)), p: Math.floor(at / Q) % P, q: at % Q };
    const worked = workOutPixel(problem, x, w, bias, place);
    expect(worked.sum).toBeCloseTo(y[at], 9);
    expect(worked.patch).toHaveLength(worked.channels * R * S);
    const products = worked.patch.reduce((sum, value, i) => sum + value * worked.weights[i], worked.bias);
    expect(products).toBeCloseTo(y[at], 9);
    expect(worked.magnitude).toBeGreaterThanOrEqual(Math.abs(worked.sum));
  }
  expect(workOutPixel(problem, x, w, undefined, { k: 0, p: 0, q: 0 }).bias).toBe(0);
});
