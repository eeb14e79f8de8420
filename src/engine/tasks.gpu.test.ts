/** Sums of slices as tasks: with a value per place, a wrong one is seen. */
import { afterAll, expect, test } from 'vitest';
import { wholeBuffer, type GpuBuffer } from '../gpu/ledger.ts';
import { Readback } from '../gpu/readback.ts';
import { slicedGradients } from './gemm/slices.ts';
import { grid, placed, PlanBuilder, type Tensor } from './plan.ts';
import { testDevice } from './testing/gpu.ts';

const buffers: GpuBuffer[] = [];
afterAll(() => {
  for (const buffer of buffers) buffer.destroy();
});

async function filled(label: string, length: number, first: number): Promise<Tensor> {
  const values = Float32Array.from({ length }, (_, i) => first + i);
  const buffer = await (await testDevice()).ledger.upload(label, new Uint32Array(values.buffer));
  buffers.push(buffer);
  return placed(label, [length], wholeBuffer(buffer));
}

function copy(plan: PlanBuilder, x: Tensor, y: Tensor, count: number): void {
  plan.dispatch({
    label: `${y.label} copied`,
    kernel: { shader: 'concat/copy', constants: { RUN: count } },
    tensors: { x, y },
    uniforms: { count },
    workgroups: grid(count, 64),
  });
}

const LENGTHS = [3, 70, 300, 1];
const SLICES = 2;
/** In values: a multiple of bindings' alignment. */
const APART = 320;

/**
 * The sums of slices of several layers, in one buffer.
 * @param between is called after each layer's sum was asked for, with the layers' gradients
 */
async function sums(
  between: (plan: PlanBuilder, gradients: readonly Tensor[], i: number) => void = () => undefined,
) {
  const device = await testDevice();
  const buffer = await device.ledger.upload('gradients', new Uint32Array(APART * LENGTHS.length).fill(7));
  buffers.push(buffer);
  const sources = await Promise.all(LENGTHS.map((n, i) => filled(`source ${i}`, n * SLICES, 1000 * i)));
  const plan = new PlanBuilder(device);
  const gradients = LENGTHS.map((n, i) =>
    placed(`gradient ${i}`, [n], { buffer, offset: 4 * APART * i, bytes: 4 * n }),
  );
  gradients.forEach((gradient, i) => {
    const sliced = slicedGradients(plan, `layer ${i}`, SLICES, gradient, undefined);
    copy(plan, sources[i], sliced.dw, LENGTHS[i] * SLICES);
    sliced.finish();
    between(plan, gradients, i);
  });
  const compiled = await plan.compile();
  const readback = new Readback(device);
  try {
    compiled.run();
    const found = new Float32Array(await readback.read(wholeBuffer(buffer)));
    const words = new Uint32Array(found.buffer);
    LENGTHS.forEach((n, layer) => {
      const expected = Float32Array.from({ length: n }, (_, i) => 2 * (1000 * layer + i) + n);
      expect(found.slice(APART * layer, APART * layer + n)).toEqual(expected);
      const gap = words.slice(APART * layer + n, APART * (layer + 1));
      expect(gap.every((word) => word === 7)).toBe(true);
    });
    return compiled.dispatches.map(({ label }) => label);
  } finally {
    readback.destroy();
    compiled.destroy();
  }
}

test('the second passes of all layers are one dispatch', async () => {
  expect(await sums()).toEqual([
    ...LENGTHS.map((_, i) => `layer ${i} slices copied`),
    'layer 0 sum and 3 more',
  ]);
});

test('what reads a sum has it', async () => {
  const seen = await filled('seen', 70, 0);
  const labels = await sums((plan, gradients, i) => {
    if (i === 2) copy(plan, gradients[1], seen, 70);
  });
  expect(labels.slice(3)).toEqual([
    'layer 0 sum and 2 more',
    'seen copied',
    'layer 3 slices copied',
    'layer 3 sum',
  ]);
  const device = await testDevice();
  const readback = new Readback(device);
  const { home } = seen.storage;
  const found = home && new Float32Array(await readback.read(home));
  readback.destroy();
  expect(found?.[0]).toBe(2 * 1000 + 70);
});
