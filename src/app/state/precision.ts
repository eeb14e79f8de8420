/** How precisely what layers put out is stored. */
import type { DeviceSlice } from './device.ts';

export const PRECISIONS = [
  { name: 'float32', title: '32 bits' },
  { name: 'mixed', title: 'mixed, 16 and 32 bits' },
] as const;

export type Precision = (typeof PRECISIONS)[number]['name'];

/** Why the GPU in use cannot do mixed precision; undefined if it can, and while that is not known. */
export function obstacleToMixed({ adapter }: Pick<DeviceSlice, 'adapter'>): string | undefined {
  if (!adapter || adapter.features.includes('shader-f16')) return undefined;
  return `Mixed precision needs 16-bit numbers in shaders (shader-f16), which ${adapter.description}, its driver or the browser does not offer.`;
}
