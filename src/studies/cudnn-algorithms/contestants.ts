/** The bars of the study's figures. */
import type { Direction } from '../../engine/ops/conv/problem.ts';
import type { Published } from '../study.ts';
import { PRINTED } from './published.ts';

export const PASSES = ['forward', 'backward'] as const;
export type Pass = (typeof PASSES)[number];

export const passOf = (direction: Direction): Pass => (direction === 'fprop' ? 'forward' : 'backward');

/** A bar: some launches of some algorithms. The fastest of them is its time. */
export interface Contestant {
  /** Its name in each pass that the report measures. */
  bars: Readonly<Partial<Record<Pass, string>>>;
  look: string;
  algorithms: readonly string[];
  /** The names of its launches. Default: all of them. */
  launches?: Readonly<Record<Direction, RegExp>>;
}

/** Called "GEMM" in the report, where it is cuDNN's. */
export const BASE = 'wgrad’s implicit GEMM';

/** The two versions of the own kernels. */
export const VERSIONS: readonly Contestant[] = [
  {
    bars: { forward: 'im2col v1', backward: 'col2im v1' },
    look: 'im2col_gemm',
    algorithms: ['im2col_gemm'],
    launches: {
      fprop: /^one thread per filter position/,
      dgrad: /^one thread per position/,
      wgrad: /^one thread per filter position/,
    },
  },
  {
    bars: { forward: 'im2col v2', backward: 'col2im v2' },
    look: 'im2col_gemm',
    algorithms: ['im2col_gemm'],
    launches: {
      fprop: /^one thread per element/,
      dgrad: /^(?!one thread per position)/,
      wgrad: /^one thread per element/,
    },
  },
];

export const CONTESTANTS: readonly Contestant[] = [
  { bars: { forward: BASE, backward: BASE }, look: 'implicit_gemm', algorithms: ['implicit_gemm'] },
  ...VERSIONS,
  { bars: { forward: 'FFT', backward: 'FFT' }, look: 'fft', algorithms: ['fft'] },
  { bars: { forward: 'FFT tiling' }, look: 'fft_tiling', algorithms: ['fft_tiling'] },
  { bars: { forward: 'Winograd' }, look: 'winograd_f4x3', algorithms: ['winograd_f2x3', 'winograd_f4x3'] },
];

/** The largest ratios that the report prints, and the bars that they are the largest of. */
export interface Largest {
  /** The case of the figure, and its bar. */
  case: string;
  bar: string;
  look: string;
  of: readonly string[];
  printed: Published;
}

const SINGLE: readonly Largest[] = [
  {
    case: 'Own v2, forward or backward',
    bar: 'own v2',
    look: 'im2col_gemm',
    of: Object.values(VERSIONS[1].bars),
    printed: PRINTED.own,
  },
  { case: 'FFT, forward or backward', bar: 'FFT', look: 'fft', of: ['FFT'], printed: PRINTED.fft },
  {
    case: 'FFT tiling, forward',
    bar: 'FFT tiling',
    look: 'fft_tiling',
    of: ['FFT tiling'],
    printed: PRINTED.fftTiling,
  },
  {
    case: 'Winograd, forward',
    bar: 'Winograd',
    look: 'winograd_f4x3',
    of: ['Winograd'],
    printed: PRINTED.winograd,
  },
];

export const LARGEST: readonly Largest[] = [
  ...SINGLE,
  {
    case: 'The slowest of these: the abstract’s number',
    bar: 'the slowest',
    look: 'fft_tiling',
    of: SINGLE.flatMap(({ of }) => of),
    printed: PRINTED.abstract,
  },
];
