/** The time of each dispatch of a plan. */
import { assert } from '../../base/assert.ts';
import { spreadOf, type Spread, type Stopwatch } from '../../gpu/timing.ts';
import type { Plan, StepPart } from '../plan.ts';

export interface SampledSpread extends Spread {
  samples: number;
  /** Runs in each sample. */
  repetitions: number;
}

/** A dispatch run repeatedly by itself: its time without the waits within a step. */
export interface KernelTime {
  /** The dispatch's label: "conv1 fprop". */
  kernel: string;
  /** The file below shaders/, without its extension. */
  shader: string;
  pass: StepPart['pass'];
  /** Absent for dispatches that belong to no layer. */
  layer?: string;
  workgroups: readonly [number, number, number];
  /** FLOP; 0 if there are none. */
  flop: number;
  /** Bytes that it reads and writes at least. */
  bytes: number;
  /** Milliseconds per run. */
  time: SampledSpread;
}

const SAMPLES = 5;
/** A sample lasts this many ticks of the clock, for an accuracy of 2 %. */
const TICKS = 50;
const MIN_MS = 2;
/** A software adapter's kernels are slow: a few runs of each must suffice. */
const MAX_MS = 60;

/**
 * @param onKernel called after each kernel; returning false stops early
 */
export async function timeKernels(
  stopwatch: Stopwatch,
  plan: Plan,
  onKernel: (done: number) => boolean = () => true,
  { samples: wanted = SAMPLES, minimumMs = MIN_MS }: { samples?: number; minimumMs?: number } = {},
): Promise<KernelTime[]> {
  const times: KernelTime[] = [];
  await stopwatch.settle((pass) => plan.encode(pass));
  for (const dispatch of plan.dispatches) {
    const { samples, repetitions } = await stopwatch.time((pass) => plan.encode(pass, 0, [dispatch]), {
      samples: wanted,
      minimumMs: Math.max(minimumMs, TICKS * (stopwatch.tickMs ?? 0)),
      mostMs: MAX_MS,
    });
    const { label, kernel, part, workgroups, flop, bytes } = dispatch;
    assert(part !== undefined, `${label} belongs to no pass of a step`);
    times.push({
      kernel: label,
      shader: kernel.source.shader,
      pass: part.pass,
      layer: part.layer,
      workgroups,
      flop,
      bytes,
      time: { ...spreadOf(samples), samples: samples.length, repetitions },
    });
    if (!onKernel(times.length)) break;
  }
  return times;
}

/** A layer's milliseconds per step: the sum of its kernels. */
export interface LayerTime {
  layer: string;
  forwardMs: number;
  backwardMs: number;
}

/** By layer, in the order of the forward pass. Layers without kernels are omitted. */
export function layerTimes(kernels: readonly KernelTime[]): LayerTime[] {
  const layers = new Map<string, LayerTime>();
  for (const { layer, pass, time } of kernels) {
    if (layer === undefined) continue;
    const known = layers.get(layer) ?? { layer, forwardMs: 0, backwardMs: 0 };
    const way = pass === 'forward' ? 'forwardMs' : 'backwardMs';
    layers.set(layer, { ...known, [way]: known[way] + time.median });
  }
  return [...layers.values()];
}
