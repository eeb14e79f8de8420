import type { Spread, Timing } from '../../gpu/timing.ts';

/** The columns that every benchmark line has: milliseconds, work and speed. */
export function timingColumns(
  { median, p10, p90, samples, repetitions, clock }: Spread & Omit<Timing, 'samples'> & { samples: number },
  flop: number,
) {
  return {
    median_ms: median,
    p10_ms: p10,
    p90_ms: p90,
    n: samples,
    repetitions,
    clock,
    flop,
    tflops: flop / median / 1e9,
  };
}
