import { ceilDiv } from '../../base/shape.ts';
import type { Device } from '../../gpu/device.ts';

/** Workgroups that saturate a large GPU's memory. */
const BUSY_GROUPS = 1024;
/** Values that justify a workgroup. */
const GROUP_NUMBERS = 2048;

/** On software adapters: the sums that keep all cores busy, and the most values in one sum. */
const BUSY_SUMS = 64;
const SUM_NUMBERS = 1024;

/**
 * The number of slices of the sum over each of `channels`, for enough parallel threads.
 * @param numbers values per channel
 */
export function channelSlices(device: Device, channels: number, numbers: number): number {
  const slices = device.onProcessor
    ? Math.max(BUSY_SUMS / channels, numbers / SUM_NUMBERS)
    : Math.min(BUSY_GROUPS / channels, numbers / GROUP_NUMBERS);
  return Math.min(numbers, 256, Math.max(1, Math.ceil(slices)));
}

/** Fewer slices of the same size, if the last ones would be empty. */
export const withoutEmpty = (slices: number, items: number): number => ceilDiv(items, ceilDiv(items, slices));
