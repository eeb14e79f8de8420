/** How an algorithm looks in every chart: colour, pattern and letters, so that colour is never the only sign. */
export interface Look {
  /** Two or three, for cells of maps. */
  letters: string;
  /** In palette.css: `data-algorithm` sets --fill, --fill-ink and --fill-pattern. */
  name: string;
}

const LETTERS: Readonly<Record<string, string>> = {
  direct: 'D',
  im2col_gemm: 'IC',
  implicit_gemm: 'IG',
  gemm_1x1: 'G1',
  winograd_f2x3: 'W23',
  winograd_f4x3: 'W43',
  winograd_f2x5: 'W25',
  winograd_f4x5: 'W45',
  fft: 'F',
  fft_tiling: 'FT',
};

/** Those without letters of their own get the first of each word. */
export const lookOf = (algorithm: string): Look => ({
  name: algorithm,
  letters:
    LETTERS[algorithm] ??
    algorithm
      .split('_')
      .map((word) => word[0]?.toUpperCase() ?? '')
      .join(''),
});
