/**
 * A device of Dawn's null backend, which checks shaders, limits and calls as any other and computes nothing: so the
 * kernels that only a real GPU would run can be held to its limits in milliseconds.
 */
import { openDevice, type Device, type Limits } from '../../gpu/device.ts';

/** Dawn crashes if what opened a device is collected while that is alive. */
const kept: GPU[] = [];

/** A device that is no software adapter, so that everything is chosen as for a GPU. */
export async function nullDevice(limits: Limits): Promise<Device> {
  const { create, globals } = await import('webgpu');
  Object.assign(globalThis, globals);
  const gpu = create(['backend=null']);
  kept.push(gpu);
  return openDevice(gpu, limits);
}
