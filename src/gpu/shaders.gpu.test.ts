import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nullDevice } from '../engine/testing/null-device.ts';
import type { Device } from './device.ts';
import { constantsOf, filesOf, link } from './link.ts';
import { fetchShaders, shaderSource } from './sources.ts';
import { kernelNames, NEEDED } from '../engine/all-kernels.ts';

let device: Device;
/** It checks WGSL as every device does, in less time; the tests of ops run all of these kernels. */
beforeAll(async () => {
  device = await nullDevice('adapter');
});
afterAll(() => {
  device.destroy();
});

const names = await kernelNames();

describe('every kernel', () => {
  it.concurrent.each(names)('%s compiles with its own constants', async (shader) => {
    const kernel = await device.kernels.get({ shader, constants: NEEDED[shader] ?? {} });
    expect(kernel.interface.bindings.length).toBeGreaterThan(0);
  });

  // Dawn prints them on standard output, among the results.
  it.concurrent.each(names)('%s compiles without a warning, with and without subgroups', async (shader) => {
    await fetchShaders(filesOf(shader, shaderSource));
    const declared = constantsOf(shader, shaderSource).some(({ name }) => name === 'SHUFFLES');
    const own = NEEDED[shader] ?? {};
    for (const constants of declared ? [own, { ...own, SHUFFLES: true }] : [own]) {
      const { code } = link(shader, constants, shaderSource);
      const { messages } = await device.raw.createShaderModule({ code }).getCompilationInfo();
      expect(messages.map(({ message }) => message)).toEqual([]);
    }
  });
});
