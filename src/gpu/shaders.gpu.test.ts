import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { nullDevice } from '../engine/testing/null-device.ts';
import type { Device } from './device.ts';
import { shaderNames } from './sources.ts';
import { COMPLETED, kernelNames, NEEDED } from './testing/kernels.ts';

let device: Device;
/** It checks WGSL as every device does, in less time; the tests of ops run all of these kernels. */
beforeAll(async () => {
  device = await nullDevice('adapter');
});
afterAll(() => {
  device.destroy();
});

test('kernels with parts refer to existing files', () => {
  expect(shaderNames()).toEqual(expect.arrayContaining(Object.keys(COMPLETED)));
});

describe('every kernel', () => {
  it.concurrent.each(kernelNames())('%s compiles with its own constants', async (shader) => {
    const kernel = await device.kernels.get({ shader, constants: NEEDED[shader] ?? {} });
    expect(kernel.interface.bindings.length).toBeGreaterThan(0);
  });
});
