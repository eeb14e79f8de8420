/** The CPU engine's bar below a GPU's. */
import type { CpuTime, Tried } from '../../../worker/api.ts';
import type { Measurement } from './batch.ts';
import { isTimed, type RaceLane } from './verdict.ts';

/** A result for fewer images, as if there were `factor` times as many. */
const scaled = (tried: Tried, factor: number): Tried =>
  isTimed(tried)
    ? {
        ...tried,
        median: factor * tried.median,
        p10: factor * tried.p10,
        p90: factor * tried.p90,
        interval: [factor * tried.interval[0], factor * tried.interval[1]],
      }
    : tried;

/** Its row, of the time for all N images; without a result while it is awaited, undefined where there will be none. */
export function cpuLane({ request, cpu }: Pick<Measurement, 'request' | 'cpu'>): RaceLane | undefined {
  if (!request.cpu || (cpu && 'reason' in cpu)) return undefined;
  const launches = cpu ? [scaled(cpu.tried, request.sizes.N / cpu.images)] : [];
  return { name: 'cpu', algorithm: 'cpu', best: launches.find(isTimed), launches, first: false };
}

/** What was measured. @param images N, which the bar is for */
export function cpuCaption(cpu: CpuTime, images: number): string {
  if ('reason' in cpu) return `The CPU is not timed: ${cpu.reason}.`;
  const { engine, tried } = cpu;
  const fewer = cpu.images < images ? ` Measured with ${cpu.images} of ${images} images, and scaled.` : '';
  return `cpu: ${engine}, ${tried.algorithm}, “${tried.launch}”.${fewer}`;
}
