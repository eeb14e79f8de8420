/** Launches of the size that a person chose. */
import type { Device } from '../../../../../gpu/device.ts';
import type { Constants } from '../../../../../gpu/link.ts';
import { grid, type Workgroups } from '../../../../plan.ts';
import type { ConvSetting } from '../../algorithm.ts';

const THREADS = 64;

/** The most workgroups of a launch that is not folded, on every device. */
const MOST_WORKGROUPS = 65535;

const mostThreads = (device: Device): number =>
  Math.min(device.limit('maxComputeInvocationsPerWorkgroup'), device.limit('maxComputeWorkgroupSizeX'));

/** Why there is no launch of the chosen size here, as a clause for a message. */
export function whyNotSize({ device, launchSize = {} }: ConvSetting): string | undefined {
  const outside = (what: string, most: number, given = 1): string | undefined =>
    Number.isInteger(given) && given >= 1 && given <= most
      ? undefined
      : `it supports 1 to ${most} ${what} on this device, got ${given}`;
  return (
    outside('threads per workgroup', mostThreads(device), launchSize.threads) ??
    outside('workgroups', MOST_WORKGROUPS, launchSize.workgroups)
  );
}

/** The part of a launch's name that says its size, where a person chose it: "32 workgroups of 128". */
export const sizeName = ({ launchSize }: ConvSetting): string[] =>
  launchSize?.threads === undefined && launchSize?.workgroups === undefined
    ? []
    : [
        `${launchSize.workgroups === undefined ? '' : `${launchSize.workgroups} `}workgroups of ${launchSize.threads ?? THREADS}`,
      ];

/** How a kernel that imports conv/im2col_gemm/items is launched for so many items. */
export function launchFor(
  { launchSize: { threads = THREADS, workgroups } = {} }: ConvSetting,
  items: number,
): { constants: Constants; workgroups: Workgroups } {
  return {
    constants: { THREADS: threads },
    workgroups: workgroups === undefined ? grid(items, threads) : [workgroups, 1, 1],
  };
}
