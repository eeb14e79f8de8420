/** Where the time of a step goes: pure functions of a profile. */
import type { KernelTime, StepPass, StepProfile, TimelineSpan } from '../../../worker/api.ts';

/** The kernel that timeline, table and roofline highlight together. */
export interface Selection {
  /** Its index in the profile; undefined if none is selected. */
  selected: number | undefined;
  select(kernel: number | undefined): void;
}

export interface TimePart {
  name: 'kernels' | 'between kernels' | 'between steps';
  /** Negative where kernels or steps overlap. */
  ms: number;
}

export const sumOfKernels = (kernels: readonly KernelTime[]): number =>
  kernels.reduce((sum, { time }) => sum + time.median, 0);

/** A step's wall-clock time as a sum: its kernels in isolation, idle time between them, idle time between steps. */
export function partsOf({ wall, gpu, kernels }: Pick<StepProfile, 'wall' | 'gpu' | 'kernels'>): TimePart[] {
  const sum = sumOfKernels(kernels);
  return [
    { name: 'kernels', ms: sum },
    { name: 'between kernels', ms: gpu.median - sum },
    { name: 'between steps', ms: wall.median - gpu.median },
  ];
}

/** A share below this is noise. */
const NOISE = 0.02;

/** One sentence per difference that is not noise. */
export function explainParts(parts: readonly TimePart[]): string[] {
  const [kernels] = parts;
  const whole = parts.reduce((sum, { ms }) => sum + ms, 0);
  return parts.slice(1).flatMap(({ name, ms }) => {
    const share = ms / whole;
    if (Math.abs(share) < NOISE) return [];
    if (name === 'between kernels') {
      return ms > 0
        ? ['There is idle time between kernels, because each waits for the previous one.']
        : [
            `Back to back, the kernels take ${Math.round((-100 * ms) / kernels.ms)} % less than in isolation, thanks to warm caches and overlap.`,
          ];
    }
    return ms > 0
      ? ['Kernels wait for commands between steps: training is bound by what submits them.']
      : ['Consecutive steps overlap.'];
  });
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

export interface LayerSpan {
  name: string;
  pass: StepPass;
  start: number;
  ms: number;
  /** The index of its first kernel. */
  kernel: number;
}

/** Merges consecutive kernels of the same layer and pass into one span. */
export function layerSpans({ kernels, spans }: Pick<StepProfile, 'kernels' | 'spans'>): LayerSpan[] {
  const merged: LayerSpan[] = [];
  for (const { start, ms, kernel } of spans) {
    if (kernel === undefined) continue;
    const name = partOf(kernels[kernel]);
    const last = merged.at(-1);
    if (last?.name === name) last.ms = start + ms - last.start;
    else merged.push({ name, pass: kernels[kernel].pass, start, ms, kernel });
  }
  return merged;
}

export interface KernelRow {
  /** Its index in the profile. */
  index: number;
  kernel: KernelTime;
  /** 0 to 1, of the sum of all kernels. */
  share: number;
  flopPerSecond: number;
  bytesPerSecond: number;
  /** Share of the measured peak, of compute or memory bandwidth, whichever is closer: 0 to 1, or more from the cache. */
  ofPeak: number;
  bound: 'compute' | 'memory';
}

/** Slowest first. */
export function kernelRows({ kernels, ceilings }: Pick<StepProfile, 'kernels' | 'ceilings'>): KernelRow[] {
  const sum = sumOfKernels(kernels);
  return kernels
    .map((kernel, index): KernelRow => {
      const seconds = kernel.time.median / 1e3;
      const flopPerSecond = kernel.flop / seconds;
      const bytesPerSecond = kernel.bytes / seconds;
      const compute = flopPerSecond / ceilings.product.flopPerSecond;
      const memory = bytesPerSecond / ceilings.copy.bytesPerSecond;
      return {
        index,
        kernel,
        share: kernel.time.median / sum,
        flopPerSecond,
        bytesPerSecond,
        ofPeak: Math.max(compute, memory),
        bound: compute > memory ? 'compute' : 'memory',
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
const LABEL_ROOM = 0.06;

/** Three to seven round positions along an axis of `length`, from 0. */
export function ticksOf(length: number): number[] {
  const power = 10 ** Math.floor(Math.log10(length / 5));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => length / size <= 6) ?? 10 * power;
  return Array.from({ length: Math.floor(((1 - LABEL_ROOM) * length) / step) + 1 }, (_, i) => i * step);
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
