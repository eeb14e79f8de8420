import type { DeviceSlice } from './device.ts';

/** Why the GPU in use cannot do mixed precision; undefined if it can, and while that is not known. */
export function obstacleToMixed({ adapter }: Pick<DeviceSlice, 'adapter'>): string | undefined {
  if (!adapter || adapter.features.includes('shader-f16')) return undefined;
  return `Mixed precision requires the WebGPU feature shader-f16, which is not available on ${adapter.description} in this browser.`;
}
