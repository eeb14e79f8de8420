import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openNodeDevice } from '../node/gpu.ts';
import type { Device } from './device.ts';
import { filesOf } from './link.ts';
import { shaderNames, shaderSource } from './sources.ts';

const imported = new Set(shaderNames().flatMap((name) => filesOf(name, shaderSource).slice(1)));
/** What nobody imports has to stand as a kernel. */
const kernels = shaderNames().filter((name) => !imported.has(name));

let device: Device;
beforeAll(async () => {
  device = await openNodeDevice();
});
afterAll(() => {
  device.destroy();
});

describe('every shader that no other imports', () => {
  it.concurrent.each(kernels)('%s compiles with its own constants', async (shader) => {
    const kernel = await device.kernels.get({ shader });
    expect(kernel.interface.bindings.length).toBeGreaterThan(0);
  });
});
