/**
 * Predicts from the problem alone which launch is fastest, without any work on the GPU. The order of the rules follows
 * Jordà, Valero-Lara and Peña, "Performance evaluation of cuDNN convolution algorithms on NVIDIA Volta GPUs" (2019):
 * first the filter's size, then the amount of work. The numbers are fitted to the output of `bench find`.
 */
import { Failure } from '../../../../base/result.ts';
import type { Device } from '../../../../gpu/device.ts';
import { FEW_TERMS } from '../algorithms/implicit_gemm/index.ts';
import { convAlgorithms } from '../algorithms/index.ts';
import type { ConvProblem, Direction } from '../problem.ts';
import { DEFAULT_WORKSPACE, launchesOf, whyNot } from '../run.ts';
import type { Choice, GetOptions } from './types.ts';

/** An algorithm, or its launches whose names start with a prefix. */
interface Preference {
  algorithm: string;
  launch?: string;
}

interface Rule {
  when(problem: ConvProblem, direction: Direction): boolean;
  /** Preferences, the best first; the next one if one is not available. */
  prefer: readonly Preference[];
}

/** Channels, on the side with fewer, from which the multiplications saved outweigh the tiles' transforms. */
const WINOGRAD_CHANNELS = 32;
/** The same for wgrad and for filters of 5x5, and where tiles stay within a workgroup. */
const SOME_CHANNELS = 16;
/** Output pixels that fill a GPU with tiles. */
const MANY_PIXELS = 4096;
/**
 * Output pixels times channels, on the side with fewer, from which transforms pay off: many channels need few pixels.
 */
const TRANSFORMED = 65536;
/** Larger images than the first, up to the second, fill a Fourier transform of 16 points well. */
const FFT_16 = [8, 14];
/** Images from which 5x5 filters are worth a transform. */
const SOME_IMAGES = 8;
/** Up to this many channels, a layer counts as reading images. */
const IMAGE_CHANNELS = 4;
const FEW_CHANNELS = 8;
/** Pixels from which a network's first layer counts as large. */
const LARGE_IMAGES = 131072;
/** Terms per sum from which zeros between strided outputs cost more than writing columns. */
const STRIDED_TERMS = 256;

const channels = ({ C, groups }: ConvProblem) => C / groups;
const fewest = ({ C, K, groups }: ConvProblem) => Math.min(C, K) / groups;
const pixels = ({ N, P, Q }: ConvProblem) => N * P * Q;
const isSquare = ({ R, S }: ConvProblem, size: number) => R === size && S === size;
const isDense = ({ stride, dilation, groups }: ConvProblem) =>
  [...stride, ...dilation, groups].every((one) => one === 1);

/** The first rule that applies decides; if its preferences are not available, the last rule's are used. */
const RULES: readonly Rule[] = [
  {
    // A group of one channel is not a matrix multiplication.
    when: ({ C, K, groups }) => C === groups && K === groups && groups > 1,
    prefer: [{ algorithm: 'direct' }],
  },
  {
    // Few rows in the product, and many terms per sum.
    when: (problem, direction) =>
      direction === 'dgrad' &&
      channels(problem) <= FEW_CHANNELS &&
      problem.R * problem.S > 1 &&
      problem.N * problem.H * problem.W >= MANY_PIXELS,
    prefer: [{ algorithm: 'im2col_gemm' }],
  },
  {
    when: ({ K, R, S, groups, stride }, direction) =>
      direction === 'dgrad' && Math.max(...stride) > 1 && (K / groups) * R * S > STRIDED_TERMS,
    prefer: [{ algorithm: 'im2col_gemm' }],
  },
  { when: ({ R, S }) => R === 1 && S === 1, prefer: [{ algorithm: 'gemm_1x1' }] },
  {
    when: (problem, direction) =>
      direction === 'fprop' &&
      channels(problem) <= IMAGE_CHANNELS &&
      channels(problem) * problem.R * problem.S > FEW_TERMS &&
      Math.max(problem.R, problem.S) <= 7 &&
      pixels(problem) >= LARGE_IMAGES,
    prefer: [{ algorithm: 'direct', launch: 'several outputs' }],
  },
  {
    when: (problem, direction) =>
      isSquare(problem, 3) &&
      isDense(problem) &&
      fewest(problem) >= (direction === 'wgrad' ? SOME_CHANNELS : WINOGRAD_CHANNELS) &&
      pixels(problem) * fewest(problem) >= TRANSFORMED,
    prefer: [{ algorithm: 'winograd_f4x3' }, { algorithm: 'winograd_f2x3' }],
  },
  {
    when: (problem, direction) =>
      isSquare(problem, 3) &&
      isDense(problem) &&
      direction !== 'wgrad' &&
      fewest(problem) >= SOME_CHANNELS &&
      pixels(problem) >= MANY_PIXELS,
    prefer: [{ algorithm: 'winograd_f2x3', launch: 'fused' }],
  },
  {
    when: (problem) =>
      isSquare(problem, 5) &&
      isDense(problem) &&
      Math.min(problem.H, problem.W) > FFT_16[0] &&
      Math.max(problem.H, problem.W) <= FFT_16[1] &&
      fewest(problem) >= SOME_CHANNELS &&
      problem.N >= SOME_IMAGES,
    prefer: [{ algorithm: 'fft' }, { algorithm: 'winograd_f4x5' }],
  },
  {
    when: (problem) =>
      isSquare(problem, 5) &&
      isDense(problem) &&
      fewest(problem) >= SOME_CHANNELS &&
      problem.N >= SOME_IMAGES,
    prefer: [{ algorithm: 'winograd_f4x5' }, { algorithm: 'winograd_f2x5' }, { algorithm: 'fft_tiling' }],
  },
  {
    when: (problem) =>
      Math.min(problem.R, problem.S) >= 7 && isDense(problem) && fewest(problem) >= WINOGRAD_CHANNELS,
    prefer: [{ algorithm: 'fft_tiling' }],
  },
];

const ALWAYS: readonly Preference[] = [{ algorithm: 'implicit_gemm' }, { algorithm: 'direct' }];

/**
 * Channels from which large Winograd tiles are fastest for 3x3 filters on software adapters: only arithmetic counts
 * there.
 */
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

/** On the processor itself, tiles of outputs in registers beat all gathering, but for products of many channels. */
const CPU_RULES: readonly Rule[] = [
  {
    // Zeros between strided outputs would cost more than writing columns out.
    when: ({ stride }, direction) => direction === 'dgrad' && Math.max(...stride) > 1,
    prefer: [{ algorithm: 'im2col_gemm' }],
  },
  { when: ({ R, S }) => R === 1 && S === 1, prefer: [{ algorithm: 'gemm_1x1' }] },
  { when: () => true, prefer: [{ algorithm: 'direct' }] },
];

/**
 * @throws Failure `unsupported` if none of `options.algorithms` supports the problem
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
  const { cpu, software } = device.adapter;
  const rules = cpu ? CPU_RULES : software ? SOFTWARE_RULES : RULES;
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
  throw new Failure('unsupported', `none of ${algorithms.join(', ')} supports this ${direction}${why}`);
}
