import type { DeviceSlice } from './device.ts';
import { train as texts } from '../messages/en/train.tsx';

/** Why the GPU in use cannot do mixed precision; undefined if it can, and while that is not known. */
export function obstacleToMixed({ adapter }: Pick<DeviceSlice, 'adapter'>): string | undefined {
  if (!adapter || adapter.features.includes('shader-f16')) return undefined;
  return texts.obstacles.mixed(adapter.description);
}
