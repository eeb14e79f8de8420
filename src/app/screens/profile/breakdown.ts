/** Where the time of a step goes: pure functions of a profile. */
import * as format from '../../format.ts';
import type { KernelTime, StepPass, ProfileReport, TimelineSpan } from '../../../worker/api.ts';

/** The kernel that timeline, table and roofline highlight together. */
export interface Selection {
  /** Its index in the profile; undefined if none is selected. */
  selected: number | undefined;
  select(kernel: number | undefined): void;
}

export interface TimePart {
  name: 'kernels' | 'between kernels' | 'between steps';
  ms: number;
}

type Times = Pick<ProfileReport, 'wall' | 'gpu' | 'kernels'>;

export const sumOfKernels = (kernels: readonly KernelTime[]): number =>
  kernels.reduce((sum, { time }) => sum + time.median, 0);

/**
 * A step's wall-clock time as a sum: its kernels, idle time between them, idle time between steps. The three were measured
 * one after the other, so each is at most as long as what contains it: kernels that are longer in isolation count as long as
 * the pass.
 */
export function partsOf({ wall, gpu, kernels }: Times): TimePart[] {
  const pass = Math.min(gpu.median, wall.median);
  const sum = Math.min(sumOfKernels(kernels), pass);
  return [
    { name: 'kernels', ms: sum },
    { name: 'between kernels', ms: pass - sum },
    { name: 'between steps', ms: wall.median - pass },
  ];
}

/** A share below this is noise. */
const NOISE = 0.02;
/** Where the 90th percentile is this many times the 10th, or a part is longer than the whole by more than this share. */
const SPREAD = 1.5;
const CONTRADICTION = 0.1;

/** Whether the times vary or contradict each other so much that they should be measured again. */
export const isNoisy = ({ wall, gpu, kernels }: Times): boolean =>
  [wall, gpu].some(({ p10, p90 }) => p90 > SPREAD * p10) ||
  [gpu, ...kernels.map(({ time }) => time)].some(({ median }) => median > (1 + CONTRADICTION) * wall.median);

/** One sentence per difference that is not noise. */
export function explainParts(times: Times): string[] {
  const { wall, gpu, kernels } = times;
  const sum = sumOfKernels(kernels);
  const [, between, steps] = partsOf(times).map(({ ms }) => ms / wall.median);
  const saved = (sum - gpu.median) / sum;
  return [
    between > NOISE && 'There is idle time between kernels, because each waits for the previous one.',
    saved > NOISE &&
      `Back to back, the kernels take ${format.percent(saved, 0)} less time than in isolation, thanks to warm caches and overlap.`,
    steps > NOISE && 'Kernels wait for commands between steps: submitting them is the bottleneck.',
  ].filter((sentence) => sentence !== false);
}

/** The part of the step that a kernel belongs to: "conv1 forward", "update". */
export const partOf = ({ pass, layer }: Pick<KernelTime, 'pass' | 'layer'>): string =>
  layer === undefined ? PASSES[pass] : `${layer} ${pass}`;

export const PASSES: Readonly<Record<StepPass, string>> = {
  data: 'batch',
  forward: 'forward',
  loss: 'loss',
  backward: 'backward',
  update: 'update',
};

export interface KernelRow {
  /** Its index in the profile. */
  index: number;
  kernel: KernelTime;
  /** 0 to 1, of the sum of all kernels. */
  share: number;
  flopPerSecond: number;
  bytesPerSecond: number;
  /** Share of the peak, of compute or memory bandwidth, whichever is closer: 0 to 1. */
  ofPeak: number;
  /** cache: it moves data faster than a copy from memory does. */
  bound: 'compute' | 'memory' | 'cache';
}

/** FLOP/s and bytes/s that this device is known to reach: by a kernel of the step, if that beat what was measured for it. */
export function peaksOf({ kernels, ceilings }: Pick<ProfileReport, 'kernels' | 'ceilings'>): {
  flopPerSecond: number;
  bytesPerSecond: number;
} {
  const rates = kernels.map(({ flop, time }) => flop / (time.median / 1e3));
  return {
    flopPerSecond: Math.max(ceilings.product.flopPerSecond, ...rates),
    bytesPerSecond: ceilings.copy.bytesPerSecond,
  };
}

/** Slowest first. */
export function kernelRows(profile: Pick<ProfileReport, 'kernels' | 'ceilings'>): KernelRow[] {
  const { kernels } = profile;
  const sum = sumOfKernels(kernels);
  const peaks = peaksOf(profile);
  return kernels
    .map((kernel, index): KernelRow => {
      const seconds = kernel.time.median / 1e3;
      const flopPerSecond = kernel.flop / seconds;
      const bytesPerSecond = kernel.bytes / seconds;
      const compute = flopPerSecond / peaks.flopPerSecond;
      const memory = bytesPerSecond / peaks.bytesPerSecond;
      return {
        index,
        kernel,
        share: kernel.time.median / sum,
        flopPerSecond,
        bytesPerSecond,
        ofPeak: Math.min(1, Math.max(compute, memory)),
        bound: memory > 1 ? 'cache' : compute > memory ? 'compute' : 'memory',
      };
    })
    .sort((a, b) => b.kernel.time.median - a.kernel.time.median);
}

/** Exponents of the powers of ten around a range. */
export const decades = (least: number, most: number): [low: number, high: number] => [
  Math.floor(Math.log10(least)),
  Math.ceil(Math.log10(most)),
];

/** The end of an axis that is left free for the label of the last tick, as a share of its length. */
const LABEL_ROOM = 0.09;

/** Three to seven round positions on an axis between two times. */
export function ticksOf(from: number, to: number): number[] {
  const length = to - from;
  const power = 10 ** Math.floor(Math.log10(length / 5));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => length / size <= 6) ?? 10 * power;
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor((to - LABEL_ROOM * length) / step);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

/** The kernel that a key moves to; undefined for keys that do not move. */
export function nextKernel(key: string, selected: number | undefined, count: number): number | undefined {
  const last = count - 1;
  switch (key) {
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'ArrowRight':
      return Math.min(last, (selected ?? -1) + 1);
    case 'ArrowLeft':
      return Math.max(0, (selected ?? count) - 1);
    default:
      return undefined;
  }
}

/** What happens outside kernels; undefined for a kernel's span. */
export function explainSpan({ row, name }: Pick<TimelineSpan, 'row' | 'name'>): string | undefined {
  switch (row) {
    case 'encode':
      return 'The CPU writes the step’s data and records the commands.';
    case 'queue':
      return name === 'submit' ? 'The CPU submits the commands.' : 'Submission and completion latency.';
    case 'read':
      return 'The loss is copied back to the CPU.';
    default:
      return undefined;
  }
}
