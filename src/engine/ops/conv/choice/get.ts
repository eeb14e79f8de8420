/**
 * Predicts from the problem alone which launch is fastest, without any work on the GPU. The order of questions follows
 * Jordà, Valero-Lara and Peña, "Performance evaluation of cuDNN convolution algorithms on NVIDIA Volta GPUs" (2019):
 * the filter's size first, then how much there is to do. `bench find` prints what the numbers are fitted to.
 */
import { Failure } from '../../../../base/result.ts';
import type { Device } from '../../../../gpu/device.ts';
import { convAlgorithms } from '../algorithms/index.ts';
import type { ConvProblem, Direction } from '../problem.ts';
import { DEFAULT_WORKSPACE, launchesOf, whyNot } from '../run.ts';
import type { Choice, GetOptions } from './types.ts';

/** An algorithm, or those of its launches whose names begin with some words. */
interface Preference {
  algorithm: string;
  launch?: string;
}

interface Rule {
  when(problem: ConvProblem, direction: Direction): boolean;
  /** What to take, the best first; the next one where one is not to be had. */
  prefer: readonly Preference[];
}

/** Channels, on the side that has fewer, from which transforming tiles to another form pays: their products dominate. */
const WINOGRAD_CHANNELS = 64;
/** Channels from which the smaller Winograd tiles pay, which stay within a workgroup. */
const FUSED_CHANNELS = 32;
/** Tiles that Winograd needs to fill a GPU. */
const WINOGRAD_OUTPUTS = 4096;
/** Channels and images from which 5x5 filters are worth a transform. */
const LARGE_FILTER_CHANNELS = 32;
const LARGE_FILTER_IMAGES = 8;

const fewest = ({ C, K, groups }: ConvProblem) => Math.min(C, K) / groups;
const outputs = ({ N, P, Q }: ConvProblem) => N * P * Q;
const isSquare = ({ R, S }: ConvProblem, size: number) => R === size && S === size;
const isDense = ({ stride, dilation, groups }: ConvProblem) =>
  [...stride, ...dilation, groups].every((one) => one === 1);

/** The first rule that holds decides; what it prefers and cannot have is taken from the last one. */
const RULES: readonly Rule[] = [
  {
    when: ({ R, S }) => R === 1 && S === 1,
    prefer: [{ algorithm: 'gemm_1x1' }],
  },
  {
    // A group of one channel is no matrix product.
    when: ({ C, K, groups }) => C === groups && K === groups && groups > 1,
    prefer: [{ algorithm: 'direct' }],
  },
  {
    when: (problem) =>
      isSquare(problem, 3) &&
      isDense(problem) &&
      fewest(problem) >= WINOGRAD_CHANNELS &&
      outputs(problem) >= WINOGRAD_OUTPUTS,
    prefer: [{ algorithm: 'winograd_f4x3' }, { algorithm: 'winograd_f2x3' }],
  },
  {
    when: (problem, direction) =>
      isSquare(problem, 3) &&
      isDense(problem) &&
      direction !== 'wgrad' &&
      fewest(problem) >= FUSED_CHANNELS &&
      outputs(problem) >= WINOGRAD_OUTPUTS,
    prefer: [{ algorithm: 'winograd_f2x3', launch: 'fused' }],
  },
  {
    when: (problem) =>
      isSquare(problem, 5) &&
      isDense(problem) &&
      fewest(problem) >= LARGE_FILTER_CHANNELS &&
      problem.N >= LARGE_FILTER_IMAGES,
    prefer: [{ algorithm: 'winograd_f4x5' }, { algorithm: 'winograd_f2x5' }, { algorithm: 'fft_tiling' }],
  },
  {
    when: (problem) =>
      Math.min(problem.R, problem.S) >= 7 && isDense(problem) && fewest(problem) >= LARGE_FILTER_CHANNELS,
    prefer: [{ algorithm: 'fft_tiling' }],
  },
];

const ALWAYS: readonly Preference[] = [{ algorithm: 'implicit_gemm' }, { algorithm: 'direct' }];

/** Channels from which software adapters do 3x3 filters fastest by large Winograd tiles: arithmetic is all that counts. */
const SOFTWARE_CHANNELS = 16;

const SOFTWARE_RULES: readonly Rule[] = [
  {
    when: (problem, direction) =>
      isSquare(problem, 3) &&
      isDense(problem) &&
      direction !== 'wgrad' &&
      fewest(problem) >= SOFTWARE_CHANNELS &&
      Math.min(problem.P, problem.Q) >= 4,
    prefer: [{ algorithm: 'winograd_f4x3' }],
  },
];

/**
 * @throws Failure `unsupported` if none of `options.algorithms` can do this
 */
export function get(
  device: Device,
  problem: ConvProblem,
  direction: Direction,
  {
    algorithms = convAlgorithms.names(),
    workspace = DEFAULT_WORKSPACE,
    number = 'f32',
    exclude = () => false,
  }: GetOptions = {},
): Choice {
  const setting = { device, problem, workspace, number };
  const rules = device.adapter.software ? SOFTWARE_RULES : RULES;
  const rule = rules.find(({ when }) => when(problem, direction));
  const reasons: string[] = [];
  const others = algorithms.map((algorithm): Preference => ({ algorithm }));
  for (const { algorithm, launch: words = '' } of [...(rule?.prefer ?? []), ...ALWAYS, ...others]) {
    if (!algorithms.includes(algorithm) || !convAlgorithms.has(algorithm)) continue;
    const one = convAlgorithms.get(algorithm);
    const reason = whyNot(one, setting, direction);
    if (reason !== undefined) {
      reasons.push(`${algorithm}: ${reason}`);
      continue;
    }
    const launches = launchesOf(one, setting, direction);
    const launch = launches.find(({ name }) => name.startsWith(words) && !exclude(algorithm, name));
    if (launch) return { algorithm, launch: launch.name };
  }
  const why = reasons.length > 0 ? ` (${reasons[0]})` : '';
  throw new Failure('unsupported', `none of ${algorithms.join(', ')} can do this ${direction}${why}`);
}
