import { describe, expect, test } from 'vitest';
import { expectClose, expectExact } from '../../testing/check.ts';
import { integers, type FixtureValues } from '../../testing/fixtures.ts';
import { runPlan } from '../../testing/gpu.ts';
import { complete, testNode } from '../../testing/node.ts';
import { PAD_PROBLEMS } from '../../testing/problems.ts';
import { reluBackward } from '../relu/reference.ts';
import pad, { type PadAttributes } from './index.ts';
import passes from './passes.ts';
import PYTORCH from './pytorch.json' with { type: 'json' };
import { padBackward, padForward } from './reference.ts';

const run = (attributes: PadAttributes, x: FixtureValues, dy: FixtureValues, maskInput = false) =>
  runPlan({
    inputs: { x, dy },
    outputs: { y: dy.shape, dx: x.shape },
    build(plan, t) {
      const given = { input: t.x, output: t.y, outputGradient: t.dy, inputGradient: t.dx, maskInput };
      const node = testNode(attributes, given);
      passes.forward(plan, node);
      passes.backward(plan, node);
    },
  });

describe.each([false, true])('mask %s', (mask) => {
  test.each(PAD_PROBLEMS)('$name', async ({ attributes, input }) => {
    const x = integers(1, input);
    const dy = integers(2, pad.outputShape(attributes, input));
    const { y, dx } = await run(attributes, x, dy, mask);
    const gradient = padBackward(attributes, input, dy.data);
    expectExact('y', y, padForward(attributes, input, x.data));
    expectExact('dx', dx, mask ? reluBackward(x.data, gradient) : gradient);
  });
});

test.each(PYTORCH)('PyTorch: $module on $shape', async ({ attributes, shape, x, dy, y, dx }) => {
  const own = complete(pad, attributes as Partial<PadAttributes>);
  const values = (data: readonly number[], sizes: readonly number[]) => ({
    shape: [...sizes],
    data: Float32Array.from(data),
  });
  const found = await run(own, values(x, shape), values(dy, pad.outputShape(own, shape)));
  expectExact('y', found.y, Float64Array.from(y, Math.fround));
  expectClose('dx', found.dx, Float64Array.from(dx), 1e-6);
});

test('a reflection is of what the image has', () => {
  const padded = (padding: PadAttributes['padding']) => () =>
    pad.outputShape({ padding, mode: 'reflect', value: 0 }, [1, 2, 3, 4]);
  expect(padded([2, 3])()).toEqual([1, 2, 7, 10]);
  const message = /expected less than 3 reflected rows and 4 columns, the image's, found /;
  expect(padded([3, 0])).toThrow(message);
  expect(padded({ top: 0, bottom: 0, left: 0, right: 4 })).toThrow(message);
});

test('vectors are refused', () => {
  expect(() => pad.outputShape(complete(pad), [2, 4])).toThrow(
    /expected images \[N, C, H, W\], found \[2, 4\]/,
  );
});
