import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nullDevice } from '../engine/testing/null-device.ts';
import type { Device } from './device.ts';
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
});
