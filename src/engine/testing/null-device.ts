/**
 * A device of Dawn's null backend, which checks shaders, limits and calls as any other and computes nothing: so the
 * kernels that only a real GPU would run can be held to its limits in milliseconds.
 */
import { openDevice, type Device, type Limits } from '../../gpu/device.ts';

/** Dawn crashes if what opened a device is collected while that is alive. */
const kept: GPU[] = [];

/** What Dawn's null backend has if it is asked for more than browsers offer: float16 and subgroup matrices. */
const ALL_FEATURES = ['enable-dawn-features=vulkan_enable_f16_on_nvidia,allow_unsafe_apis'];

/** A device that is no software adapter, so that everything is chosen as for a GPU. @param all whether with tensor cores and sums by subgroups */
export async function nullDevice(limits: Limits, all = false): Promise<Device> {
  const { create, globals } = await import('webgpu');
  Object.assign(globalThis, globals);
  const gpu = create(['backend=null', ...(all ? ALL_FEATURES : [])]);
  kept.push(gpu);
  const device = await openDevice(gpu, limits);
  // It lists no shapes of matrices, but compiles all.
  if (all) Object.assign(device.adapter, { matrices: 'f16', shuffles: true });
  return device;
}
