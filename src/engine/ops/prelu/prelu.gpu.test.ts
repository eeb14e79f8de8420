import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Shape } from '../../../base/shape.ts';
import { expectClose, expectWithin } from '../../testing/check.ts';
import { normals, type FixtureValues } from '../../testing/fixtures.ts';
import { pretend, runPlan, testDevice } from '../../testing/gpu.ts';
import { complete, testNode } from '../../testing/node.ts';
import { reluBackward } from '../relu/reference.ts';
import prelu from './index.ts';
import passes from './passes.ts';
import PYTORCH from './pytorch.json' with { type: 'json' };
import { preluBackward, preluForward } from './reference.ts';

function run(x: FixtureValues, dy: FixtureValues, weight: FixtureValues, maskInput = false) {
  return runPlan({
    inputs: { x, dy, weight },
    outputs: { y: x.shape, dx: x.shape, dweight: weight.shape },
    build(plan, t) {
      const [numParameters] = weight.shape;
      const node = testNode(complete(prelu, { numParameters }), {
        input: t.x,
        output: t.y,
        outputGradient: t.dy,
        inputGradient: t.dx,
        parameters: { weight: t.weight },
        gradients: { weight: t.dweight },
        maskInput,
      });
      passes.forward(plan, node);
      passes.backward(plan, node);
    },
  });
}

const SHAPES: Shape[] = [
  [1, 1, 1, 1],
  [3, 5, 1, 1],
  [2, 4, 3, 3],
  [4, 16, 8, 8],
  [2, 3, 33, 31],
  [70, 3, 2, 3],
  [7, 20],
];

// A software adapter would not choose the launches of real GPUs.
describe.each([
  { mask: true, software: true },
  { mask: false, software: false },
])('mask: $mask, adapter is software: $software', ({ mask, software }) => {
  let restore: () => void;
  beforeAll(async () => {
    restore = pretend((await testDevice()).adapter, software);
  });
  afterAll(() => restore());

  test.each(SHAPES)('%j', async (...shape) => {
    const [N, C] = shape;
    const [x, dy] = [normals(1, shape), normals(2, shape)];
    for (const slopes of new Set([1, C])) {
      const weight = normals(3, [slopes]);
      const found = await run(x, dy, weight, mask);
      const { dx, dw } = preluBackward(N, x.data, weight.data, dy.data);
      expectClose('y', found.y, preluForward(N, x.data, weight.data), 2e-7);
      expectClose('dx', found.dx, mask ? reluBackward(x.data, dx) : dx, 2e-7);
      // Terms of both signs may leave little of their sum: the error is relative to the terms.
      const terms = preluBackward(N, x.data, weight.data, dy.data.map(Math.abs)).dw;
      expectWithin('dw', found.dweight, dw, 3e-7 * Math.max(...terms.map(Math.abs)));
    }
  });
});

test.each(PYTORCH)('PyTorch: $module on $shape', async ({ shape, x, dy, weight, ...expected }) => {
  const values = (data: readonly number[], own: Shape) => ({ shape: own, data: Float32Array.from(data) });
  const found = await run(values(x, shape), values(dy, shape), values(weight, [weight.length]));
  for (const name of ['y', 'dx', 'dweight'] as const)
    expectClose(name, found[name], Float64Array.from(expected[name]), 1e-6);
});

test('NaN and infinities as in PyTorch', async () => {
  const data = Float32Array.of(NaN, Infinity, -Infinity, -0);
  const { y } = await run({ shape: [1, 4], data }, normals(1, [1, 4]), {
    shape: [1],
    data: Float32Array.of(0.5),
  });
  expect([...y]).toEqual([NaN, Infinity, -Infinity, -0]);
});

test('slopes are one or as many as channels', () => {
  expect(() => prelu.outputShape({ numParameters: 3, init: 0 }, [2, 4, 5, 5])).toThrow(
    /expected numParameters to be 1 or the number of channels, 4, found 3/,
  );
});
