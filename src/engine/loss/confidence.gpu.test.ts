import { expect, test } from 'vitest';
import { expectClose } from '../testing/check.ts';
import { normals } from '../testing/fixtures.ts';
import { runPlan } from '../testing/gpu.ts';
import { answerConfidences } from './confidence.ts';

async function run(rows: number, classes: number, data: Float32Array<ArrayBuffer>) {
  const { out } = await runPlan({
    inputs: { logits: { shape: [rows, classes], data } },
    outputs: { out: [rows] },
    build(plan, { logits, out: result }) {
      plan.dispatch({
        label: 'copy',
        kernel: { shader: 'concat/copy' },
        tensors: { x: answerConfidences(plan, logits), y: result },
        uniforms: { count: rows },
        workgroups: [Math.ceil(rows / 64), 1, 1],
      });
    },
  });
  return out;
}

test.each([
  [1, 1],
  [3, 10],
  [70, 7],
  [2, 1000],
])('%i rows of %i classes: the largest probability of float64', async (rows, classes) => {
  // Far apart, so that exponentials of unshifted logits would overflow.
  const { data } = normals(1, [rows, classes]);
  const logits = data.map((v, i) => v * (i % 3 === 0 ? 80 : 1));
  const expected = Float64Array.from({ length: rows }, (_, row) => {
    const own = Array.from(logits.subarray(row * classes, (row + 1) * classes));
    const largest = Math.max(...own);
    return 1 / own.reduce((sum, v) => sum + Math.exp(v - largest), 0);
  });
  expectClose('confidences', await run(rows, classes, logits), expected, 1e-6);
});

test('what is not finite is no confidence', async () => {
  const found = await run(3, 2, Float32Array.of(NaN, 1, 1, Infinity, 0, 0));
  expect([...found]).toEqual([NaN, NaN, 0.5]);
});
