/** Figures of the report, digit for digit. */
import type { Published } from '../study.ts';

const largest = (what: string, value: string): Published => ({
  what: `${what}, largest ratio to cuDNN’s implicit GEMM in the cases of N 16`,
  value,
  unit: 'times',
});
const launch = (what: string, value: string, unit: string): Published => ({
  what: `launch parameters that its search tries, ${what}`,
  value,
  unit,
});

export const PRINTED = {
  fft: largest('FFT', '9.68'),
  fftTiling: largest('FFT tiling, forward', '11.8'),
  winograd: largest('Winograd, forward', '1.6'),
  own: largest('own convolution, v2', '7.96'),
  abstract: { what: 'the abstract’s summary of the slowest', value: '12', unit: 'X' },
  forwardError: { what: 'difference of the forward pass from numpy’s', value: 'less than 1e-7', unit: '' },
  inputError: {
    what: 'error of the input’s gradient, by numerical differentiation',
    value: '5.94e-5',
    unit: '',
  },
  weightError: {
    what: 'error of the weights’ gradient, by numerical differentiation',
    value: '1.36e-5',
    unit: '',
  },
  fewBlocks: launch('fewer blocks', '32', 'blocks'),
  manyBlocks: launch('more blocks', '64', 'blocks'),
  fewThreads: launch('fewer threads', '128', 'threads'),
  manyThreads: launch('more threads', '256', 'threads'),
} satisfies Record<string, Published>;
