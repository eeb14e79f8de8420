import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { openNodeDevice } from '../node/gpu.ts';
import type { Device } from './device.ts';
import { shaderNames } from './sources.ts';
import { COMPLETED, kernelNames } from './testing/kernels.ts';

let device: Device;
beforeAll(async () => {
  device = await openNodeDevice();
});
afterAll(() => {
  device.destroy();
});

test('kernels with parts refer to existing files', () => {
  expect(shaderNames()).toEqual(expect.arrayContaining(Object.keys(COMPLETED)));
});

describe('every kernel', () => {
  it.concurrent.each(kernelNames())('%s compiles with its own constants', async (shader) => {
    const kernel = await device.kernels.get({ shader });
    expect(kernel.interface.bindings.length).toBeGreaterThan(0);
  });
});
