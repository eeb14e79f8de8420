/** Two profiles side by side. */
import type { KernelTime, ProfileReport } from '../../../worker/api.ts';

export interface KernelDifference {
  /** The kernel's label, with its number where several have the same. */
  kernel: string;
  /** Milliseconds; undefined where one of the two does not have it. */
  now: number | undefined;
  before: number | undefined;
  /** Milliseconds; positive where it got slower. */
  change: number;
  /** The two ranges from the 10th to the 90th percentile overlap. */
  isNoise: boolean;
}

/** Names that are unique: the second "sum" is "sum (2)". */
function byName(kernels: readonly KernelTime[]): Map<string, KernelTime> {
  const named = new Map<string, KernelTime>();
  for (const one of kernels) {
    let name = one.kernel;
    for (let i = 2; named.has(name); i++) name = `${one.kernel} (${i})`;
    named.set(name, one);
  }
  return named;
}

/** Every kernel of either profile, the largest change first. */
export function differencesOf(
  now: Pick<ProfileReport, 'kernels'>,
  before: Pick<ProfileReport, 'kernels'>,
): KernelDifference[] {
  const [news, olds] = [now, before].map(({ kernels }) => byName(kernels));
  return [...new Set([...news.keys(), ...olds.keys()])]
    .map((kernel): KernelDifference => {
      const [a, b] = [news.get(kernel)?.time, olds.get(kernel)?.time];
      return {
        kernel,
        now: a?.median,
        before: b?.median,
        change: (a?.median ?? 0) - (b?.median ?? 0),
        isNoise: a !== undefined && b !== undefined && a.p10 <= b.p90 && b.p10 <= a.p90,
      };
    })
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
}
