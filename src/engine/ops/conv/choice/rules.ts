/**
 * Published rules that choose an algorithm from the configuration alone: filter, images, precision. They name a family of
 * algorithms; see src/studies/choosing for their source.
 */
import type { NumberType } from '../../../plan.ts';
import type { ConvProblem } from '../problem.ts';

export type Family = 'GEMM' | 'Winograd' | 'FFT';

/** The algorithms here that do what cuDNN's of that name do. */
export const FAMILIES: Readonly<Record<Family, readonly string[]>> = {
  GEMM: ['implicit_gemm', 'im2col_gemm', 'gemm_1x1'],
  Winograd: ['winograd_f2x3', 'winograd_f4x3', 'winograd_f2x5', 'winograd_f4x5'],
  FFT: ['fft', 'fft_tiling'],
};

export const familyOf = (algorithm: string): Family | undefined =>
  (Object.keys(FAMILIES) as Family[]).find((family) => FAMILIES[family].includes(algorithm));

/** What "larger than 32" and "very large" count, which the rules leave open: images of a batch, or pixels of a side. */
export type Reading = 'images' | 'pixels';

/** What the rules give no numbers for. */
export interface Thresholds {
  /** Pixels of the longer side: small up to here, then medium up to there. */
  small: number;
  medium: number;
  /** Images or pixels from which on an input data set is very large. */
  veryLarge: number;
}

/** Two choices for each reading. Runs use the first. */
export const THRESHOLDS: Readonly<Record<Reading, readonly [first: Thresholds, second: Thresholds]>> = {
  images: [
    { small: 7, medium: 28, veryLarge: 128 },
    { small: 14, medium: 56, veryLarge: 64 },
  ],
  pixels: [
    { small: 56, medium: 112, veryLarge: 224 },
    { small: 112, medium: 224, veryLarge: 112 },
  ],
};

const LARGE = 32;

/** An input data set in the rules' words. */
interface Input {
  /** Larger than 32. */
  large: boolean;
  veryLarge: boolean;
  side: 'small' | 'medium' | 'other';
}

export interface Rule {
  number: NumberType;
  filter: number;
  /** For people. */
  input: string;
  choice: Family;
  when(input: Input): boolean;
}

const always = () => true;

/** The first that applies decides. */
export const RULES: readonly Rule[] = [
  { number: 'f32', filter: 1, input: 'any', choice: 'GEMM', when: always },
  { number: 'f32', filter: 3, input: 'very large', choice: 'GEMM', when: ({ veryLarge }) => veryLarge },
  { number: 'f32', filter: 3, input: 'others', choice: 'Winograd', when: always },
  {
    number: 'f32',
    filter: 5,
    input: 'larger than 32, small',
    choice: 'GEMM',
    when: ({ large, side }) => large && side === 'small',
  },
  {
    number: 'f32',
    filter: 5,
    input: 'larger than 32, medium',
    choice: 'FFT',
    when: ({ large, side }) => large && side === 'medium',
  },
  { number: 'f32', filter: 5, input: 'others', choice: 'Winograd', when: always },
  { number: 'f16', filter: 1, input: 'any', choice: 'GEMM', when: always },
  { number: 'f16', filter: 3, input: 'any', choice: 'Winograd', when: always },
  { number: 'f16', filter: 5, input: 'any', choice: 'GEMM', when: always },
];

/** What the rules look at. */
export type Ruled = Pick<ConvProblem, 'N' | 'H' | 'W' | 'R' | 'S'>;

function inputOf({ N, H, W }: Ruled, reading: Reading, thresholds: Thresholds): Input {
  const side = Math.max(H, W);
  const count = reading === 'images' ? N : side;
  const { small, medium, veryLarge } = thresholds;
  return {
    large: count > LARGE,
    veryLarge: count >= veryLarge,
    side: side <= small ? 'small' : side <= medium ? 'medium' : 'other',
  };
}

/** The rule for a problem; undefined for other filters, which the rules do not mention. */
export function ruleFor(
  problem: Ruled,
  number: NumberType,
  reading: Reading,
  thresholds: Thresholds = THRESHOLDS[reading][0],
): Rule | undefined {
  const input = inputOf(problem, reading, thresholds);
  return RULES.find(
    (rule) =>
      rule.number === number && rule.filter === problem.R && rule.filter === problem.S && rule.when(input),
  );
}
