import { expect, test } from 'vitest';
import type { Shape } from '../../../base/shape.ts';
import { packStep, stepSlotBytes } from '../../step.ts';
import { expectClose, expectExact } from '../../testing/check.ts';
import { normals } from '../../testing/fixtures.ts';
import { runPlan } from '../../testing/gpu.ts';
import { complete, testNode } from '../../testing/node.ts';
import { reluBackward } from '../relu/reference.ts';
import dropout from './index.ts';
import passes from './passes.ts';
import { dropoutBackward, dropoutForward } from './reference.ts';

interface DropoutCase {
  shape: Shape;
  p?: number;
  seed?: number;
  label?: string;
  mask?: boolean;
}

const draw = ({ shape, p, seed = 9, label = 'drop', mask: maskInput = false }: DropoutCase) => {
  const slotBytes = stepSlotBytes(1);
  const data = new Uint8Array(slotBytes);
  packStep(new DataView(data.buffer), 0, { metricsSlot: 0, indices: Uint32Array.of(0), seed });
  return runPlan({
    inputs: { x: normals(1, shape), dy: normals(2, shape) },
    outputs: { y: shape, dx: shape },
    step: { data, slotBytes },
    build(plan, t) {
      const given = { input: t.x, output: t.y, outputGradient: t.dy, inputGradient: t.dx, maskInput };
      const node = { ...testNode(complete(dropout, p === undefined ? {} : { p }), given), label };
      passes.forward(plan, node);
      passes.backward(plan, node);
    },
  });
};

test.each<DropoutCase>([
  { shape: [1] },
  { shape: [63], p: 0.9, mask: true },
  { shape: [64, 1], p: 0.25 },
  { shape: [5, 13], seed: 0xffffffff, mask: true },
  { shape: [2, 3, 7, 11], p: 0 },
  { shape: [65, 1, 9, 9], p: 1, seed: 0 },
  { shape: [3, 700], p: 1 / 3 },
])('$shape, p = $p, seed $seed, mask $mask', async (one) => {
  const { shape, p = 0.5, seed = 9, mask } = one;
  const { y, dx } = await draw(one);
  const [x, dy] = [normals(1, shape).data, normals(2, shape).data];
  const gradient = dropoutBackward(dy, p, seed, 'drop');
  expectClose('y', y, dropoutForward(x, p, seed, 'drop'), 2e-7);
  expectClose('dx', dx, mask ? reluBackward(x, gradient) : gradient, 2e-7);
  // The choice of dropped elements is exact, and the same in both passes.
  const zeros = (values: ArrayLike<number>) => Float64Array.from(values, (value) => (value === 0 ? 1 : 0));
  if (!mask) expectExact('dropped', zeros(dx), zeros(y));
});

test('the seed and the layer determine what is dropped', async () => {
  const shape = [400];
  const { y } = await draw({ shape });
  expect((await draw({ shape })).y).toEqual(y);
  expect((await draw({ shape, seed: 10 })).y).not.toEqual(y);
  expect((await draw({ shape, label: 'drop2' })).y).not.toEqual(y);
});
