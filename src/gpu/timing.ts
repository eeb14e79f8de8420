/**
 * How long GPU work takes. With timestamp queries the GPU's own clock is read at both ends of a pass; without them the
 * wall clock from submission to completion, which includes the way there and back.
 */
import type { Device } from './device.ts';
import { Readback } from './readback.ts';

export interface Timing {
  /** Milliseconds for one repetition, one number a sample, in the order measured. */
  samples: number[];
  /** Repetitions in each sample: the clock is coarse, so short work is repeated. */
  repetitions: number;
  clock: 'timestamps' | 'wall';
}

export interface TimingOptions {
  /** Default 20. */
  samples?: number;
  /** A sample repeats the work until it takes at least this long. Default 5 ms: browsers round timestamps to 0.1 ms. */
  minimumMs?: number;
  /** Repetitions at most. Default 1000. */
  maxRepetitions?: number;
}

/** @param encode adds the work, once, to a pass */
export async function timeWork(
  device: Device,
  encode: (pass: GPUComputePassEncoder) => void,
  { samples = 20, minimumMs = 5, maxRepetitions = 1000 }: TimingOptions = {},
): Promise<Timing> {
  const clock = device.hasTimestamps ? await timestampClock(device) : wallClock(device);
  try {
    let repetitions = 1;
    // The first run warms up; then as many repetitions as the clock needs.
    await clock.sample(encode, 1);
    for (;;) {
      const ms = await clock.sample(encode, repetitions);
      if (ms >= minimumMs || repetitions >= maxRepetitions) break;
      const factor = Math.max(2, Math.min(10, (1.2 * minimumMs) / Math.max(ms, 1e-3)));
      repetitions = Math.min(maxRepetitions, Math.ceil(repetitions * factor));
    }
    const measured: number[] = [];
    for (let i = 0; i < samples; i++) measured.push((await clock.sample(encode, repetitions)) / repetitions);
    return { samples: measured, repetitions, clock: clock.kind };
  } finally {
    clock.destroy();
  }
}

export interface Spread {
  median: number;
  p10: number;
  p90: number;
}

export function spreadOf(samples: readonly number[]): Spread {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (quantile: number) => {
    const place = quantile * (sorted.length - 1);
    const low = Math.floor(place);
    return sorted[low] + (place - low) * (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]);
  };
  return { median: at(0.5), p10: at(0.1), p90: at(0.9) };
}

interface Clock {
  kind: Timing['clock'];
  /** Milliseconds that `repetitions` of the work take in one pass. */
  sample(encode: (pass: GPUComputePassEncoder) => void, repetitions: number): Promise<number>;
  destroy(): void;
}

function wallClock(device: Device): Clock {
  return {
    kind: 'wall',
    async sample(encode, repetitions) {
      await device.idle();
      const start = performance.now();
      const encoder = device.raw.createCommandEncoder();
      const pass = encoder.beginComputePass();
      for (let i = 0; i < repetitions; i++) encode(pass);
      pass.end();
      device.queue.submit([encoder.finish()]);
      await device.idle();
      return performance.now() - start;
    },
    destroy: () => undefined,
  };
}

async function timestampClock(device: Device): Promise<Clock> {
  const querySet = device.raw.createQuerySet({ type: 'timestamp', count: 2 });
  const resolved = await device.ledger.create(
    'timestamps',
    16,
    GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC,
  );
  const readback = new Readback(device);
  return {
    kind: 'timestamps',
    async sample(encode, repetitions) {
      const encoder = device.raw.createCommandEncoder();
      const timestampWrites = { querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 };
      const pass = encoder.beginComputePass({ timestampWrites });
      for (let i = 0; i < repetitions; i++) encode(pass);
      pass.end();
      encoder.resolveQuerySet(querySet, 0, 2, resolved.raw, 0);
      device.queue.submit([encoder.finish()]);
      const [start, end] = new BigUint64Array(
        await readback.read({ buffer: resolved, offset: 0, bytes: 16 }),
      );
      return Number(end - start) / 1e6;
    },
    destroy() {
      querySet.destroy();
      resolved.destroy();
      readback.destroy();
    },
  };
}
