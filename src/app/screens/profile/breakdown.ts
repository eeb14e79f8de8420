/** Where the time of a step goes: arithmetic on a profile, without a page. */
import type { KernelTime, StepPass, StepProfile } from '../../../worker/api.ts';

export interface TimePart {
  name: 'kernels' | 'between kernels' | 'between steps';
  /** Negative where what is measured together takes less than the sum of what is measured one by one. */
  ms: number;
}

export const sumOfKernels = (kernels: readonly KernelTime[]): number =>
  kernels.reduce((sum, { time }) => sum + time.median, 0);

/** A step's wall clock as a sum: its kernels one by one, what they wait between them, what the GPU waits between steps. */
export function partsOf({ wall, gpu, kernels }: Pick<StepProfile, 'wall' | 'gpu' | 'kernels'>): TimePart[] {
  const sum = sumOfKernels(kernels);
  return [
    { name: 'kernels', ms: sum },
    { name: 'between kernels', ms: gpu.median - sum },
    { name: 'between steps', ms: wall.median - gpu.median },
  ];
}

/** A share below this is in the noise, and not worth a word. */
const NOISE = 0.02;

/** What the differences mean, in a sentence each. */
export function explainParts(parts: readonly TimePart[]): string[] {
  const [kernels, ,] = parts;
  const whole = parts.reduce((sum, { ms }) => sum + ms, 0);
  return parts.slice(1).flatMap(({ name, ms }) => {
    const share = ms / whole;
    if (Math.abs(share) < NOISE) return [];
    if (name === 'between kernels') {
      return ms > 0
        ? ['Between kernels the GPU waits: each begins when the one before it is done.']
        : [
            `Run together the kernels take ${Math.round((-100 * ms) / kernels.ms)} % less than one by one: each finds the last one’s results still in the cache, or overlaps with it.`,
          ];
    }
    return ms > 0
      ? ['Between steps the GPU waits for commands: the processor does not keep up with it.']
      : ['Steps in a row overlap: one begins while the last one ends.'];
  });
}

/** What belongs together in the step: "conv1 forward", "update". */
export const partOf = ({ pass, layer }: Pick<KernelTime, 'pass' | 'layer'>): string =>
  layer === undefined ? PASSES[pass] : `${layer} ${pass}`;

export const PASSES: Readonly<Record<StepPass, string>> = {
  data: 'batch',
  forward: 'forward',
  loss: 'loss',
  backward: 'backward',
  update: 'update',
};

export interface Stretch {
  name: string;
  pass: StepPass;
  start: number;
  ms: number;
  /** Its first kernel's place. */
  kernel: number;
}

/** Kernels of one layer and direction that follow one another, as one stretch. */
export function stretchesOf({ kernels, spans }: Pick<StepProfile, 'kernels' | 'spans'>): Stretch[] {
  const stretches: Stretch[] = [];
  for (const { start, ms, kernel } of spans) {
    if (kernel === undefined) continue;
    const name = partOf(kernels[kernel]);
    const last = stretches.at(-1);
    if (last?.name === name) last.ms = start + ms - last.start;
    else stretches.push({ name, pass: kernels[kernel].pass, start, ms, kernel });
  }
  return stretches;
}

export interface KernelRow {
  /** Its place among the profile's kernels. */
  index: number;
  kernel: KernelTime;
  /** 0 to 1, of the sum of all kernels. */
  share: number;
  flopPerSecond: number;
  bytesPerSecond: number;
  /** 0 to 1: how much of what this machine can do at best, by whichever of the two it comes closer to. */
  ofCeiling: number;
  bound: 'operations' | 'memory';
}

/** The slowest first. */
export function kernelRows({ kernels, ceilings }: Pick<StepProfile, 'kernels' | 'ceilings'>): KernelRow[] {
  const sum = sumOfKernels(kernels);
  return kernels
    .map((kernel, index): KernelRow => {
      const seconds = kernel.time.median / 1e3;
      const flopPerSecond = kernel.flop / seconds;
      const bytesPerSecond = kernel.bytes / seconds;
      const byOperations = flopPerSecond / ceilings.product.flopPerSecond;
      const byMemory = bytesPerSecond / ceilings.copy.bytesPerSecond;
      return {
        index,
        kernel,
        share: kernel.time.median / sum,
        flopPerSecond,
        bytesPerSecond,
        ofCeiling: Math.max(byOperations, byMemory),
        bound: byOperations > byMemory ? 'operations' : 'memory',
      };
    })
    .sort((a, b) => b.kernel.time.median - a.kernel.time.median);
}

/** A round number at or below, at or above: powers of ten. */
export const decades = (least: number, most: number): [low: number, high: number] => [
  Math.floor(Math.log10(least)),
  Math.ceil(Math.log10(most)),
];
