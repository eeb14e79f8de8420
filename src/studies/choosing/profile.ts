/** What a training step consists of: its kernels by the family of their convolution. */
import { familyOf } from '../../engine/ops/conv/choice/rules.ts';
import type { ConvChoices } from '../../engine/ops/conv/choice/layers.ts';
import { DIRECTIONS } from '../../engine/ops/conv/problem.ts';
import type { Plan } from '../../engine/plan.ts';
import { timeKernels, type KernelTime } from '../../engine/profile/kernels.ts';
import { Stopwatch } from '../../gpu/timing.ts';
import type { Cell, StudyContext } from '../study.ts';
import { requireGoOn } from '../times.ts';

/** Shares need less accuracy than times. */
const MINIMUM_MS = 0.2;
const SAMPLES = { small: 1, full: 3 };

const COLUMNS = { GEMM: 'gemm', Winograd: 'winograd', FFT: 'fft' } as const;

/** Times every kernel of a step by itself. */
export async function profileCells(
  context: StudyContext,
  plan: Plan,
  choices: ConvChoices,
): Promise<Record<string, Cell>> {
  const { device, signal, small } = context;
  const stopwatch = await Stopwatch.create(device);
  try {
    const kernels = await timeKernels(stopwatch, plan, () => !signal.aborted, {
      minimumMs: MINIMUM_MS,
      samples: small ? SAMPLES.small : SAMPLES.full,
    });
    requireGoOn(context);
    return sharesOf(kernels, choices);
  } finally {
    stopwatch.destroy();
  }
}

type Timed = Pick<KernelTime, 'kernel' | 'layer'> & { time: Pick<KernelTime['time'], 'median'> };

/** The sum of a step's kernels, the share of each family, and the kernel that takes longest. */
export function sharesOf(kernels: readonly Timed[], choices: ConvChoices): Record<string, Cell> {
  const sums = { gemm: 0, winograd: 0, fft: 0, direct: 0, rest: 0 };
  for (const one of kernels) sums[columnOf(one, choices)] += one.time.median;
  const total = Object.values(sums).reduce((sum, ms) => sum + ms, 0);
  const [heaviest] = kernels.toSorted((a, b) => b.time.median - a.time.median);
  return {
    total,
    ...Object.fromEntries(Object.entries(sums).map(([name, ms]) => [name, ms / total])),
    heaviest: heaviest.kernel,
    heaviest_share: heaviest.time.median / total,
  };
}

function columnOf({ kernel, layer = '' }: Timed, { layers }: ConvChoices) {
  const chosen = Object.hasOwn(layers, layer) ? layers[layer] : {};
  const direction = DIRECTIONS.find((one) => kernel.startsWith(`${layer} ${one}`));
  const choice = direction && chosen[direction];
  if (!choice) return 'rest';
  const family = familyOf(choice.algorithm);
  return family ? COLUMNS[family] : 'direct';
}
