/** The thesis's rules: which algorithm to take for a filter and a size of images, without trying. */
import type { ConvProblem } from '../../engine/ops/conv/problem.ts';
import type { NumberType } from '../../engine/plan.ts';

export const PRECISIONS = { f32: 'float32', f16: 'float16' } as const;

export type Family = 'GEMM' | 'Winograd' | 'FFT';

/** The algorithms here that do what cuDNN's of that name do. */
export const FAMILIES: Readonly<Record<Family, readonly string[]>> = {
  GEMM: ['implicit_gemm', 'im2col_gemm', 'gemm_1x1'],
  Winograd: ['winograd_f2x3', 'winograd_f4x3', 'winograd_f2x5', 'winograd_f4x5'],
  FFT: ['fft', 'fft_tiling'],
};

export const familyOf = (algorithm: string): Family | undefined =>
  (Object.keys(FAMILIES) as Family[]).find((family) => FAMILIES[family].includes(algorithm));

/** Images are "very large" from here on. The thesis gives no number: VGG19's first layers are the largest that it has. */
export const VERY_LARGE = 224;
/** Images are "larger than 32" for 5x5. */
const LARGE = 32;
/** Images are "small" for 5x5 up to here. The thesis gives no number: GoogLeNet has 7x7, 14x14 and 28x28. */
export const SMALL = 7;

export interface Rule {
  number: NumberType;
  filter: number;
  /** For people. */
  images: string;
  choice: Family;
  when(size: number): boolean;
}

/** The first that applies decides. */
export const RULES: readonly Rule[] = [
  { number: 'f32', filter: 1, images: 'any', choice: 'GEMM', when: () => true },
  { number: 'f32', filter: 3, images: 'very large', choice: 'GEMM', when: (size) => size >= VERY_LARGE },
  { number: 'f32', filter: 3, images: 'others', choice: 'Winograd', when: () => true },
  { number: 'f32', filter: 5, images: 'larger than 32', choice: 'Winograd', when: (size) => size > LARGE },
  { number: 'f32', filter: 5, images: 'small', choice: 'GEMM', when: (size) => size <= SMALL },
  { number: 'f32', filter: 5, images: 'between', choice: 'FFT', when: () => true },
  { number: 'f16', filter: 1, images: 'any', choice: 'GEMM', when: () => true },
  { number: 'f16', filter: 3, images: 'any', choice: 'Winograd', when: () => true },
  { number: 'f16', filter: 5, images: 'any', choice: 'GEMM', when: () => true },
];

/** The rule for a problem; undefined for other filters, of which the thesis says nothing. */
export const ruleFor = ({ R, S, H, W }: ConvProblem, number: NumberType): Rule | undefined =>
  RULES.find(
    (rule) => rule.number === number && rule.filter === R && rule.filter === S && rule.when(Math.max(H, W)),
  );
