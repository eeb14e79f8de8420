import { describe, expect, test } from 'vitest';
import { attempt, Failure } from '../../base/result.ts';
import { cpuGpu } from '../../cpu/device/gpu.ts';
import { openDevice } from '../../gpu/device.ts';
import { kernelLessons, kernelText } from '../../kernel-lessons/index.ts';
import type { KernelLesson } from '../../kernel-lessons/lesson.ts';
import { tryKernel, type KernelDevices } from './try-kernel.ts';

const noGpu = async () => {
  throw new Failure('no-webgpu', 'no GPU');
};
const devices: KernelDevices & Partial<Pick<KernelLesson, 'rates'>> = {
  openCpu: (watched) => openDevice(cpuGpu({ watched })),
  openGpu: noGpu,
};

/** The outcome of a lesson's solution with a change. */
async function changed(name: string, from: string, to: string, on = devices) {
  const solution = kernelText(name, 'solution');
  const lesson = kernelLessons.get(name);
  expect(solution).toContain(from);
  const passed: string[] = [];
  const tried = () =>
    tryKernel(
      { ...lesson, rates: on.rates ?? lesson.rates },
      solution.replace(from, to),
      on,
      (engine, count) => passed.push(`${engine} ${count}`),
    );
  return { outcome: await attempt(tried), passed };
}

test('a kernel that passes is timed; why not on a GPU is said', async () => {
  const { outcome, passed } = await changed('product', 'sum += a', 'sum += a');
  expect(passed).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((count) => `cpu ${count}`));
  expect(outcome).toMatchObject({
    ok: true,
    value: { how: 'passed', rates: [{ engine: 'cpu' }], noGpu: { code: 'no-webgpu', message: 'no GPU' } },
  });
});

test('what is right on the CPU is tested on the GPU, too, and timed there', async () => {
  // Another device takes the place of a GPU.
  const { cpu } = kernelLessons.get('product').rates;
  const both = { ...devices, openGpu: () => devices.openCpu(false), rates: { cpu, gpu: cpu } };
  const { outcome, passed } = await changed('product', 'sum += a', 'sum += a', both);
  expect(passed.slice(7, 11)).toEqual(['cpu 8', 'cpu 9', 'gpu 1', 'gpu 2']);
  expect(outcome).toMatchObject({ value: { how: 'passed', rates: [{ engine: 'cpu' }, { engine: 'gpu' }] } });
});

test('a lesson that needs no GPU asks for none', async () => {
  const { outcome } = await changed('loops', 'sum +=', 'sum +=');
  expect(outcome).toMatchObject({ ok: true, value: { how: 'passed', rates: [{ engine: 'cpu' }] } });
  expect(outcome).not.toHaveProperty('value.noGpu');
});

describe('what is wrong is named', () => {
  test('also what is never reached', async () => {
    const { outcome } = await changed(
      'product',
      'sum += a',
      'continue; let q = undefinedName + 1u; sum += a',
    );
    expect(outcome).toMatchObject({ ok: false, error: { code: 'shader' } });
    expect(outcome).toHaveProperty('error.message', expect.stringContaining('unknown name "undefinedName"'));
  });

  test('a value: its index, what was expected and found, on which sizes', async () => {
    const { outcome, passed } = await changed('product', 'k < K', 'k < min(K, 4)');
    expect(passed).toEqual(['cpu 1', 'cpu 2']);
    expect(outcome).toMatchObject({
      value: {
        how: 'wrong',
        engine: 'cpu',
        sizes: { M: 16, N: 16, K: 16 },
        value: { index: { row: 0, column: 0 }, at: 0, wrong: 256, of: 256 },
      },
    });
  });

  test('one that was never written', async () => {
    const { outcome } = await changed('product', 'row >= M ||', 'row >= 1u ||');
    expect(outcome).toMatchObject({
      value: {
        sizes: { M: 2, N: 3, K: 4 },
        value: { index: { row: 1, column: 0 }, at: 3, found: undefined },
      },
    });
  });

  test.each([
    [
      'a mistake, at its line and column',
      'var sum = 0.0;',
      'var sum = nothing;',
      /^shaders\/yours\.wgsl:\d+:13: .*nothing/,
    ],
    ['a loop that does not end', 'k++', 'k += 0u', /^a loop that does not end, line \d+: for /],
    ['a block that does not end', 'k++) {', 'k++) { {', /end of the file/],
    ['an import', 'var sum', '// @import gemm/tile\nvar sum', /"@import gemm\/tile": a lesson's kernel/],
    ['a constant that tests set', 'const M = 1u;', '', /^expected a line "const M = 1u;"/],
    [
      'a tile of no size',
      'const TILE_X = 8u;',
      'const TILE_X = 0u;',
      /^expected "const TILE_X = 16u;" .* found 0u/,
    ],
    [
      'a binding',
      'read> b:',
      'read> bb:',
      /^expected the line "@group\(0\) @binding\(1\) var<storage, read> b: /,
    ],
    ['a workgroup that is too large', 'const TILE_X = 8u;', 'const TILE_X = 512u;', /this device allows 256/],
  ])('%s', async (_, from, to, message) => {
    const { outcome } = await changed('product', from, to);
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'shader', message: expect.stringMatching(message) as string },
    });
  });

  test('a barrier that is missing', async () => {
    const { outcome } = await changed('tiles', '    workgroupBarrier();\n    for', '    for');
    expect(outcome).toMatchObject({
      ok: false,
      error: {
        code: 'shader',
        message: expect.stringMatching(/^a race in the memory of a workgroup, line \d+/) as string,
      },
    });
  });
});
