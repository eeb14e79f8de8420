import { describe, expect, test } from 'vitest';
import { expectExact } from '../../testing/check.ts';
import { integers } from '../../testing/fixtures.ts';
import { runPlan } from '../../testing/gpu.ts';
import { testNode } from '../../testing/node.ts';
import relu from './index.ts';
import { reluBackward, reluForward } from './reference.ts';

// The last needs more workgroups than one dimension has.
test.each([1, 63, 64, 65, 1000, 64 * 65535 + 1])('forward and backward of %i numbers', async (count) => {
  const x = integers(1, [count]);
  const dy = integers(2, [count]);
  const { y, dx } = await runPlan({
    inputs: { x, dy },
    outputs: { y: [count], dx: [count] },
    build(plan, t) {
      const node = testNode({}, { input: t.x, output: t.y, outputGradient: t.dy, inputGradient: t.dx });
      relu.forward(plan, node);
      relu.backward(plan, node);
    },
  });
  expectExact('y', y, reluForward(x.data));
  expectExact('dx', dx, reluBackward(y, dy.data));
});

test('values that are not finite do not change', async () => {
  const data = Float32Array.of(NaN, Infinity, -Infinity, -0, 1e-40, 3e38);
  // NaN with the sign bit, as x86 makes it.
  const bits = new Uint32Array(data.buffer);
  bits[4] = 0xffc00000;
  const { y } = await runPlan({
    inputs: { x: { shape: [6], data } },
    outputs: { y: [6] },
    build: (plan, t) => relu.forward(plan, testNode({}, { input: t.x, output: t.y, outputGradient: t.y })),
  });
  expect([...y].map((value) => value + 0)).toEqual([NaN, Infinity, 0, 0, NaN, Math.fround(3e38)]);
});

describe('the harness itself', () => {
  const x = integers(1, [70]);
  const dispatch = (count: number) =>
    runPlan({
      inputs: { x },
      outputs: { y: [70] },
      build: (plan, t) =>
        plan.dispatch({
          label: 'relu',
          kernel: { shader: 'relu/forward' },
          tensors: { x: t.x, y: t.y },
          uniforms: { count },
          workgroups: [2, 1, 1],
        }),
    });

  test('detects writes past the end', async () => {
    await expect(dispatch(71)).rejects.toThrow(/y: written outside of its 70 numbers, at 70/);
  });

  test('detects values that are not written', async () => {
    const { y } = await dispatch(69);
    expect(() => expectExact('y', y, reluForward(x.data))).toThrow(
      /1 of 70 numbers are wrong, the first at 69/,
    );
  });
});
