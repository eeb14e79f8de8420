import { describe, expect, test } from 'vitest';
import { expectExact } from './check.ts';
import { integers } from './fixtures.ts';
import { runPlan, testDevice } from './gpu.ts';

describe('runPlan', () => {
  const x = integers(1, [5]);

  test('outputs that are never written are NaN', async () => {
    const { y, z } = await runPlan({ inputs: { x }, outputs: { y: [5], z: x }, build: () => {} });
    expect([...y].every(Number.isNaN)).toBe(true);
    expectExact('kept', z, x.data);
  });

  test.each([
    ['a number after the last', 'y[5] = 1.0;', 5],
    ['the last number of the next row', 'y[9] = x[0];', 9],
    ['what lies after the input, which is poison too', 'y[5] = x[5];', 5],
  ])('%s is written: the guards find it', async (_, statement, at) => {
    const { kernels } = await testDevice();
    const shader = 'testing/stray';
    kernels.replaceSource(
      shader,
      `@group(0) @binding(0) var<storage, read> x: array<f32>;
      @group(0) @binding(1) var<storage, read_write> y: array<f32>;
      @compute @workgroup_size(1) fn main() {
        for (var i = 0u; i < 5u; i++) { y[i] = x[i]; }
        ${statement}
      }`,
    );
    const stray = runPlan({
      inputs: { x },
      outputs: { y: [5] },
      build: (plan, tensors) =>
        plan.dispatch({ label: 'stray', kernel: { shader }, tensors, uniforms: {}, workgroups: [1, 1, 1] }),
    });
    await expect(stray).rejects.toThrow(`y: written outside of its 5 numbers, at ${at}`);
    kernels.replaceSource(shader, undefined);
  });

  test('leaves no buffer behind when building fails', async () => {
    const { ledger } = await testDevice();
    const before = ledger.buffers;
    const build = () => {
      throw new Error('on purpose');
    };
    await expect(runPlan({ inputs: { x }, outputs: { y: [5] }, build })).rejects.toThrow('on purpose');
    expect(ledger.buffers).toBe(before);
  });
});
