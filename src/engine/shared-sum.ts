import type { Device } from '../gpu/device.ts';

/**
 * Threads of a workgroup that adds numbers up as a tree (shaders/common/shared_sum.wgsl): 256, or the 128 that every device
 * has.
 */
export const sumThreads = (device: Device): number =>
  device.limit('maxComputeInvocationsPerWorkgroup') >= 256 ? 256 : 128;
