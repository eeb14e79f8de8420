import { spreadOf, type Timing } from '../../gpu/timing.ts';

/** The columns that every benchmark line has: milliseconds, work and speed. */
export function timingColumns({ samples, repetitions, clock }: Timing, flop: number) {
  const { median, p10, p90 } = spreadOf(samples);
  return {
    median_ms: median,
    p10_ms: p10,
    p90_ms: p90,
    n: samples.length,
    repetitions,
    clock,
    flop,
    tflops: flop / median / 1e9,
  };
}
