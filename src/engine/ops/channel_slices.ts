import { ceilDiv } from '../../base/shape.ts';
import type { Device } from '../../gpu/device.ts';

/** Workgroups that keep a large GPU loading. */
const BUSY_GROUPS = 1024;
export const SUM_THREADS = 256;
/** Numbers that are worth a workgroup. */
const GROUP_NUMBERS = SUM_THREADS * 8;

/** On software adapters: sums that keep all cores busy, and the numbers that one of them may run over. */
const BUSY_SUMS = 64;
const SUM_NUMBERS = 1024;

/**
 * Into how many slices the sum over each of `channels` is cut, so that enough threads share it.
 * @param numbers in one channel
 */
export function channelSlices(device: Device, channels: number, numbers: number): number {
  const slices = device.adapter.software
    ? Math.max(BUSY_SUMS / channels, numbers / SUM_NUMBERS)
    : Math.min(BUSY_GROUPS / channels, numbers / GROUP_NUMBERS);
  return Math.min(numbers, 256, Math.max(1, Math.ceil(slices)));
}

/** Fewer slices of the same size, where the last ones of so many would be empty. */
export const withoutEmpty = (slices: number, items: number): number => ceilDiv(items, ceilDiv(items, slices));
