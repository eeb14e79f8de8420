/**
 * Measures the time of GPU work. With timestamp queries, the GPU's clock is read at both ends of a pass; without them,
 * the wall clock from submission to completion, which includes the latency of both.
 */
import type { Device } from './device.ts';
import { Readback } from './readback.ts';

export interface Timing {
  /** Milliseconds per repetition, one value per sample, in the order measured. */
  samples: number[];
  /** Repetitions in each sample: the clock is coarse, so short work is repeated. */
  repetitions: number;
  clock: 'timestamps' | 'wall';
}

export interface TimingOptions {
  /** Default 20. */
  samples?: number;
  /**
   * A sample repeats the work until it takes at least this long; if Infinity, as often as it may. Default 5 ms: browsers
   * round timestamps to 0.1 ms.
   */
  minimumMs?: number;
  /** Repetitions at most. Default 1000. */
  maxRepetitions?: number;
  /** The time of one repetition, if just measured: then there is no warm-up. */
  expectedMs?: number;
  /** No more samples are taken after about this long, once there are 3. Default: no limit. */
  mostMs?: number;
}

/** The fewest samples for a spread. */
const MIN_SAMPLES = 3;

/** Passes are submitted together up to about this duration: a GPU that waits in between lowers its clock rate. */
const SUBMIT_MS = 100;

/** Adds the work, once, to a pass. */
export type Encode = (pass: GPUComputePassEncoder) => void;

export async function timeWork(device: Device, encode: Encode, options: TimingOptions = {}): Promise<Timing> {
  const stopwatch = await Stopwatch.create(device);
  try {
    await stopwatch.settle(encode);
    return await stopwatch.time(encode, options);
  } finally {
    stopwatch.destroy();
  }
}

/**
 * How long a GPU's clock rate takes to rise, after how long without work it drops, and in what pieces the GPU is kept
 * busy.
 */
const SETTLE_MS = 450;
const COOL_MS = 700;
const SETTLE_STEP_MS = 10;

/** The most samples that are measured together. */
const MAX_TOGETHER = 64;

/** Times many pieces of work, one after the other. */
export class Stopwatch {
  /** When each device last worked for long: single runs with pauses between do not keep a clock rate up. */
  private static readonly busy = new WeakMap<Device, number>();

  private constructor(
    private readonly device: Device,
    private readonly clock: Clock,
  ) {}

  static async create(device: Device): Promise<Stopwatch> {
    return new Stopwatch(device, device.hasTimestamps ? await timestampClock(device) : wallClock(device));
  }

  get kind(): Timing['clock'] {
    return this.clock.kind;
  }

  /**
   * The observed resolution of the GPU's clock, milliseconds: all times so far are multiples of it. Chrome rounds to
   * 0.1 ms. Undefined for the wall clock, and before anything was timed.
   * https://developer.chrome.com/docs/web-platform/webgpu/developer-features
   */
  get tickMs(): number | undefined {
    const ns = this.clock.tick?.() ?? 0n;
    return ns === 0n ? undefined : Number(ns) / 1e6;
  }

  /**
   * Waits until the GPU's clock rate is up: after an idle second, some GPUs run at a fifth of their speed for a third
   * of a second (NVIDIA H200, driver 580). Repeats some work meanwhile. A software adapter has no such clock.
   */
  async settle(encode: Encode): Promise<void> {
    const { device } = this;
    const idle = performance.now() - (Stopwatch.busy.get(device) ?? -Infinity);
    if (device.onProcessor || idle < COOL_MS) return;
    const [ms] = await this.clock.sample(encode, 1, 1);
    const repetitions = Math.max(1, Math.min(1000, Math.round(SETTLE_STEP_MS / Math.max(ms, 1e-3))));
    for (const start = performance.now(); performance.now() - start < SETTLE_MS;) {
      await this.clock.sample(encode, repetitions, 1, false);
    }
    Stopwatch.busy.set(device, performance.now());
  }

  /** Runs the work once and returns the milliseconds: a first estimate, for work that ran before. */
  async once(encode: Encode): Promise<number> {
    const [ms] = await this.clock.sample(encode, 1, 1, false);
    return ms;
  }

  async time(
    encode: Encode,
    {
      samples = 20,
      minimumMs = 5,
      maxRepetitions = 1000,
      expectedMs = 0,
      mostMs = Infinity,
    }: TimingOptions = {},
  ): Promise<Timing> {
    const { clock } = this;
    let repetitions = minimumMs === Infinity ? maxRepetitions : 1;
    let ms = expectedMs;
    if (expectedMs === 0) await clock.sample(encode, 1, 1);
    // The number of repetitions that the clock's resolution requires.
    while (ms < minimumMs) {
      [ms] = await clock.sample(encode, repetitions, 1);
      if (ms >= minimumMs || repetitions >= maxRepetitions) break;
      const factor = Math.max(2, Math.min(10, (1.2 * minimumMs) / Math.max(ms, 1e-3)));
      repetitions = Math.min(maxRepetitions, Math.ceil(repetitions * factor));
    }
    const wanted = Math.min(samples, Math.max(MIN_SAMPLES, Math.floor(mostMs / Math.max(ms, 1e-3))));
    const together = Math.min(MAX_TOGETHER, Math.max(1, Math.floor(SUBMIT_MS / Math.max(ms, 1e-3))));
    const measured: number[] = [];
    while (measured.length < wanted) {
      const count = Math.min(together, wanted - measured.length);
      measured.push(
        ...(await clock.sample(encode, repetitions, count)).map((sample) => sample / repetitions),
      );
    }
    Stopwatch.busy.set(this.device, performance.now());
    return { samples: measured, repetitions, clock: clock.kind };
  }

  /** Times several pieces of work in turns: what disturbs one disturbs the others as much. */
  async inTurns(
    works: readonly Encode[],
    { samples = 20, ...options }: TimingOptions = {},
  ): Promise<Timing[]> {
    const timings: Timing[] = [];
    for (const work of works)
      timings.push({ ...(await this.time(work, { ...options, samples: 1 })), samples: [] });
    for (let turn = 0; turn < samples; turn++) {
      for (const [i, { samples: measured, repetitions }] of timings.entries()) {
        const [ms] = await this.clock.sample(works[i], repetitions, 1);
        measured.push(ms / repetitions);
      }
    }
    return timings;
  }

  destroy(): void {
    this.clock.destroy();
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
  /**
   * Milliseconds of each of `count` passes, which repeat the work `repetitions` times.
   * @param warmUp whether to run one more pass first, unmeasured. Default true
   */
  sample(encode: Encode, repetitions: number, count: number, warmUp?: boolean): Promise<number[]>;
  /** The largest common divisor of all times in nanoseconds; 0 before the first. */
  tick?(): bigint;
  destroy(): void;
}

function encodePass(
  encoder: GPUCommandEncoder,
  encode: Encode,
  repetitions: number,
  descriptor?: GPUComputePassDescriptor,
): void {
  const pass = encoder.beginComputePass(descriptor);
  for (let i = 0; i < repetitions; i++) encode(pass);
  pass.end();
}

function wallClock(device: Device): Clock {
  const run = async (encode: Encode, repetitions: number): Promise<number> => {
    const start = performance.now();
    const encoder = device.raw.createCommandEncoder();
    encodePass(encoder, encode, repetitions);
    device.queue.submit([encoder.finish()]);
    await device.idle();
    return performance.now() - start;
  };
  return {
    kind: 'wall',
    async sample(encode, repetitions, count, warmUp = true) {
      if (warmUp) await run(encode, repetitions);
      const times: number[] = [];
      for (let i = 0; i < count; i++) times.push(await run(encode, repetitions));
      return times;
    },
    destroy: () => undefined,
  };
}

/** The greatest common divisor; of 0 and a number, the number. */
export function commonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? (a < 0n ? -a : a) : commonDivisor(b, a % b);
}

async function timestampClock(device: Device): Promise<Clock> {
  const querySet = device.raw.createQuerySet({ type: 'timestamp', count: 2 * MAX_TOGETHER });
  const bytes = 16 * MAX_TOGETHER;
  const usage = GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC;
  const resolved = await device.ledger.create('timestamps', bytes, usage);
  const readback = new Readback(device);
  let tick = 0n;
  return {
    kind: 'timestamps',
    tick: () => tick,
    async sample(encode, repetitions, count, warmUp = true) {
      const encoder = device.raw.createCommandEncoder();
      if (warmUp) encodePass(encoder, encode, repetitions);
      for (let i = 0; i < count; i++) {
        const timestampWrites = {
          querySet,
          beginningOfPassWriteIndex: 2 * i,
          endOfPassWriteIndex: 2 * i + 1,
        };
        encodePass(encoder, encode, repetitions, { timestampWrites });
      }
      encoder.resolveQuerySet(querySet, 0, 2 * count, resolved.raw, 0);
      device.queue.submit([encoder.finish()]);
      const ticks = new BigUint64Array(
        await readback.read({ buffer: resolved, offset: 0, bytes: 16 * count }),
      );
      for (const time of ticks) tick = commonDivisor(tick, time - ticks[0]);
      return Array.from({ length: count }, (_, i) => Number(ticks[2 * i + 1] - ticks[2 * i]) / 1e6);
    },
    destroy() {
      querySet.destroy();
      resolved.destroy();
      readback.destroy();
    },
  };
}
