/** The profile of a forward pass: the time of each kernel and of each layer. */
import type { Device } from '../../gpu/device.ts';
import { Stopwatch, type Timing } from '../../gpu/timing.ts';
import type { Plan } from '../plan.ts';
import { timeKernels, type KernelTime } from './kernels.ts';

export interface ForwardProfile {
  clock: Timing['clock'];
  /** In the order of execution. */
  kernels: KernelTime[];
}

/** @param plan one forward pass */
export async function profileForward(device: Device, plan: Plan): Promise<ForwardProfile> {
  const stopwatch = await Stopwatch.create(device);
  try {
    const kernels = await timeKernels(stopwatch, plan);
    return { clock: stopwatch.kind, kernels };
  } finally {
    stopwatch.destroy();
  }
}
