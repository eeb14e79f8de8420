import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { openNodeDevice } from '../node/gpu.ts';
import type { Device } from './device.ts';
import { filesOf } from './link.ts';
// oxlint-disable-next-line import/no-unassigned-import -- adds the files that Winograd's algorithms generate
import '../engine/ops/conv/algorithms/winograd/shape.ts';
import { shaderNames, shaderSource } from './sources.ts';

/** Kernels whose files need a part, with every part that there is for them. */
const COMPLETED: Readonly<Record<string, readonly string[]>> = {
  'activation/forward': activations(),
  'activation/backward': activations(),
  'conv/winograd/fused': ['f2x3'],
  'conv/implicit_gemm/fprop': ['position', 'position_table'],
  'conv/implicit_gemm/dgrad': ['position', 'position_table'],
  ...Object.fromEntries(
    ['filter', 'gradient', 'input', 'output', 'weights'].map((file) => [
      `conv/winograd/${file}`,
      ['f2x3', 'f4x3', 'f2x5', 'f4x5'],
    ]),
  ),
};

function activations(): string[] {
  const parts = shaderNames().filter((name) => name.startsWith('activation/'));
  return parts
    .map((name) => name.slice('activation/'.length))
    .filter((name) => !/^(for|back)ward$/.test(name));
}

const importsOf = (name: string) => filesOf(name, shaderSource).slice(1);
const completed = Object.entries(COMPLETED).flatMap(([file, parts]) =>
  parts.map((part) => `${file}:${part}`),
);
const used = new Set([...shaderNames(), ...completed].flatMap(importsOf));
/** Files that no other uses have to stand as kernels. */
const kernels = [...shaderNames().filter((name) => !used.has(name) && !(name in COMPLETED)), ...completed];

let device: Device;
beforeAll(async () => {
  device = await openNodeDevice();
});
afterAll(() => {
  device.destroy();
});

test('kernels with parts are kernels of files that exist', () => {
  expect(shaderNames()).toEqual(expect.arrayContaining(Object.keys(COMPLETED)));
});

describe('every kernel', () => {
  it.concurrent.each(kernels)('%s compiles with its own constants', async (shader) => {
    const kernel = await device.kernels.get({ shader });
    expect(kernel.interface.bindings.length).toBeGreaterThan(0);
  });
});
