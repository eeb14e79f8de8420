/** Sums over the values of an image, or over some of them that lie side by side. */
import type { Device } from '../../gpu/device.ts';
import { grid } from '../plan.ts';
import { sumThreads } from '../shared-sum.ts';

/** Threads of a workgroup if each has its own sum. */
const OWN_THREADS = 32;
/** Values that justify a workgroup's sum. */
const GROUP_NUMBERS = 128;

/** How `count` sums of `numbers` values are added up: each by a workgroup or by a thread. */
export function imageSums(device: Device, count: number, numbers: number) {
  const shared = !device.onProcessor && numbers >= GROUP_NUMBERS;
  return {
    constants: { SHARED: shared, THREADS: shared ? sumThreads(device) : OWN_THREADS },
    workgroups: grid(count, shared ? 1 : OWN_THREADS),
  };
}
