import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { elements } from '../../../base/shape.ts';
import { expectClose, expectExact } from '../../testing/check.ts';
import { LAYOUTS } from '../../dispatch.ts';
import { normals } from '../../testing/fixtures.ts';
import { inLayout, rearranged } from '../../testing/layout.ts';
import { runPlan, testDevice, pretend } from '../../testing/gpu.ts';
import { complete, testNode } from '../../testing/node.ts';
import { reluBackward, reluForward } from '../relu/reference.ts';
import batchNorm from './index.ts';
import passes from './passes.ts';
import { batchNormBackward, batchNormForward, batchStatistics, movedStatistics } from './reference.ts';

/**
 * Few and many values per channel, multiples of four and others, slices of unequal length, and inputs without a plane.
 * With two values per channel, the gradient is only what eps leaves of it, so there is nothing to compare.
 */
const SHAPES = [
  [5, 1, 1, 1],
  [6, 3, 1, 1],
  [5, 4, 3, 3],
  [4, 16, 8, 8],
  [3, 2, 5, 7],
  [9, 3, 31, 33],
  [16, 5, 24, 24],
  [7, 20],
  // In NHWC, a GPU adds up its slices in a pass of their own.
  [40, 64, 8, 8],
];

const start = (C: number) => ({
  running_mean: normals(11, [C]),
  num_batches_tracked: { shape: [], data: Float32Array.of(41) },
  running_var: { shape: [C], data: normals(12, [C]).data.map((value) => 1 + value * value) },
});

// A software adapter would not choose the launches of real GPUs.
describe.each([
  { relu: false, mask: false, software: true },
  { relu: true, mask: true, software: true },
  { relu: false, mask: false, software: false },
  { relu: true, mask: true, software: false },
])('ReLU: $relu, mask: $mask, adapter is software: $software', ({ relu, mask, software }) => {
  let restore: () => void;
  beforeAll(async () => {
    restore = pretend((await testDevice()).adapter, software);
  });
  afterAll(() => restore());

  const cases = LAYOUTS.flatMap((layout) => SHAPES.map((shape) => ({ shape, layout })));
  test.each(cases)('training on $shape in $layout', async ({ shape, layout }) => {
    const [N, C, ...rest] = shape;
    const problem = { N, C, plane: elements(rest), eps: 1e-5 };
    const x = normals(1, shape);
    const dy = normals(2, shape);
    const [weight, bias] = [normals(3, [C]), normals(4, [C])];
    const buffers = start(C);
    const found = await runPlan({
      inputs: { x: inLayout(x, layout), dy: inLayout(dy, layout), weight, bias },
      outputs: { y: shape, dx: shape, dw: [C], db: [C], ...buffers },
      build(plan, t) {
        const node = testNode(complete(batchNorm), {
          input: { ...t.x, layout },
          output: { ...t.y, layout },
          outputGradient: { ...t.dy, layout },
          inputGradient: { ...t.dx, layout },
          relu,
          maskInput: mask,
          parameters: { weight: t.weight, bias: t.bias },
          gradients: { weight: t.dw, bias: t.db },
          buffers: {
            running_mean: t.running_mean,
            running_var: t.running_var,
            num_batches_tracked: t.num_batches_tracked,
          },
        });
        passes.forward(plan, node);
        passes.backward(plan, node);
      },
    });
    const statistics = batchStatistics(problem, x.data);
    const y = batchNormForward(problem, statistics, x.data, weight.data, bias.data);
    const { dx, dw, db } = batchNormBackward(problem, x.data, weight.data, dy.data);
    const images = (data: Float32Array<ArrayBuffer>) => rearranged(data, shape, layout, 'nchw');
    expectClose('y', images(found.y), relu ? reluForward(y) : y, 2e-6);
    expectClose('dw', found.dw, dw, 3e-6);
    expectClose('db', found.db, db, 1e-6);
    expectClose('dx', images(found.dx), mask ? reluBackward(x.data, dx) : dx, 5e-6);
    const running = { mean: buffers.running_mean.data, variance: buffers.running_var.data };
    const moved = movedStatistics(problem, statistics, running, 0.1);
    expectClose('running_mean', found.running_mean, moved.mean, 1e-6);
    expectClose('running_var', found.running_var, moved.variance, 1e-6);
    expectExact('num_batches_tracked', found.num_batches_tracked, Float64Array.of(42));
  });

  test.each([[[1, 3, 5, 5]], [[2, 4, 8, 8]]])(
    'evaluation on %j uses the running statistics',
    async (shape) => {
      const [N, C, ...rest] = shape;
      const x = normals(1, shape);
      const [weight, bias] = [normals(3, [C]), normals(4, [C])];
      const { running_mean, running_var } = start(C);
      const { y } = await runPlan({
        inputs: { x, weight, bias, running_mean, running_var },
        outputs: { y: shape },
        build(plan, t) {
          const node = testNode(complete(batchNorm, { eps: 0.01 }), {
            input: t.x,
            output: t.y,
            outputGradient: t.y,
            relu,
            training: false,
            parameters: { weight: t.weight, bias: t.bias },
            buffers: { running_mean: t.running_mean, running_var: t.running_var },
          });
          passes.forward(plan, node);
        },
      });
      const problem = { N, C, plane: elements(rest), eps: 0.01 };
      const running = {
        mean: Float64Array.from(running_mean.data),
        variance: Float64Array.from(running_var.data),
      };
      const expected = batchNormForward(problem, running, x.data, weight.data, bias.data);
      expectClose('y', y, relu ? reluForward(expected) : expected, 1e-6);
    },
  );
});

test('a mean a thousand times the deviation costs three digits and no more', async () => {
  const shape = [8, 2, 16, 16];
  const x = normals(1, shape);
  x.data.forEach((value, i) => (x.data[i] = value + 1000));
  const ones = { shape: [2], data: Float32Array.of(1, 1) };
  const zeros = { shape: [2], data: new Float32Array(2) };
  const buffers = { running_mean: zeros, running_var: ones, num_batches_tracked: { ...zeros, shape: [2] } };
  const { y, running_var } = await runPlan({
    inputs: { x, weight: ones, bias: zeros },
    outputs: { y: shape, ...buffers },
    build(plan, t) {
      const node = testNode(complete(batchNorm, { momentum: 1 }), {
        input: t.x,
        output: t.y,
        outputGradient: t.y,
        parameters: { weight: t.weight, bias: t.bias },
        buffers: {
          running_mean: t.running_mean,
          running_var: t.running_var,
          num_batches_tracked: t.num_batches_tracked,
        },
      });
      passes.forward(plan, node);
    },
  });
  const problem = { N: 8, C: 2, plane: 256, eps: 1e-5 };
  const statistics = batchStatistics(problem, x.data);
  expectClose('y', y, batchNormForward(problem, statistics, x.data, ones.data, zeros.data), 1e-4);
  expectClose(
    'running_var',
    running_var,
    movedStatistics(problem, statistics, { mean: zeros.data, variance: ones.data }, 1).variance,
    1e-6,
  );
});

test('invalid attributes are refused', () => {
  expect(() => batchNorm.outputShape(complete(batchNorm), [3])).toThrow(
    /expected an input of shape \[N, C, ...\], found \[3\]/,
  );
  expect(() => complete(batchNorm, { eps: 0 })).toThrow(/expected eps to be a number above 0, found 0/);
  expect(() => complete(batchNorm, { momentum: 2 })).toThrow(
    /expected momentum to be a number from 0 to 1, found 2/,
  );
});
