/** What the time of a step goes into. */
import type { KernelLine, ProfileLine } from './lines.ts';

/** Kernels that do the same in different layers, in sum. */
export interface KernelGroup extends KernelLine {
  count: number;
  /** Of the time of all kernels. */
  share: number;
  /** The time that its operations or its bytes take at best, whichever is longer, by its own. */
  ofRoofline: number;
}

/** "layer2.0.conv1 fprop" and "layer3.1.conv2 fprop" are both "conv fprop". */
function kindOf(kernel: string): string {
  const [layer, ...work] = kernel.split(' ');
  const name = layer.split('.').findLast((part) => !/^\d+$/.test(part)) ?? layer;
  return [name.replace(/\d+$/, ''), ...work].join(' ');
}

/** The groups that took longest first. Where there are no more than `most` kernels, each is one. */
export function kernelGroups(
  { kernels, flopPerSecond, bytesPerSecond }: ProfileLine,
  most: number,
): KernelGroup[] {
  const groups = new Map<string, KernelLine & { count: number }>();
  for (const one of kernels) {
    const kernel = kernels.length > most ? kindOf(one.kernel) : one.kernel;
    const known = groups.get(kernel) ?? { kernel, ms: 0, flop: 0, bytes: 0, count: 0 };
    groups.set(kernel, {
      kernel,
      count: known.count + 1,
      ms: known.ms + one.ms,
      flop: known.flop + one.flop,
      bytes: known.bytes + one.bytes,
    });
  }
  const all = sumOf(kernels);
  return [...groups.values()]
    .sort((a, b) => b.ms - a.ms)
    .map((group) => {
      const best = 1e3 * Math.max(group.flop / flopPerSecond, group.bytes / bytesPerSecond);
      return { ...group, share: group.ms / all, ofRoofline: best / group.ms };
    });
}

/** Milliseconds of all kernels, each on its own. */
export const sumOf = (kernels: readonly KernelLine[]): number => kernels.reduce((sum, { ms }) => sum + ms, 0);
