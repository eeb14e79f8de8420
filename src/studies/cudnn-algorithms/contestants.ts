/** The bars of the study's figures. */

/** A bar: the launches of some algorithms whose names start with a prefix. The fastest of them is its time. */
export interface Contestant {
  name: string;
  look: string;
  algorithms: readonly string[];
  /** Of launches; dgrad has no im2col. */
  launch?: string;
}

/** Called "GEMM" in the report: cuDNN's implicit GEMM. */
export const BASE = 'GEMM';

export const CONTESTANTS: readonly Contestant[] = [
  { name: BASE, look: 'implicit_gemm', algorithms: ['implicit_gemm'] },
  {
    name: 'im2col by filter',
    look: 'im2col_gemm',
    algorithms: ['im2col_gemm'],
    launch: 'one thread per filter position',
  },
  {
    name: 'im2col by element',
    look: 'im2col_gemm',
    algorithms: ['im2col_gemm'],
    launch: 'one thread per element',
  },
  { name: 'FFT', look: 'fft', algorithms: ['fft'] },
  { name: 'FFT tiling', look: 'fft_tiling', algorithms: ['fft_tiling'] },
  { name: 'Winograd', look: 'winograd_f4x3', algorithms: ['winograd_f2x3', 'winograd_f4x3'] },
];

/** The case of the figure with the report's numbers. */
export const LARGEST = 'N 16, largest over K';
