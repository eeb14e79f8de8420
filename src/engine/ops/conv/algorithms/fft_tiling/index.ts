import { fftAlgorithm } from '../../fft/algorithm.ts';

const SIZES = [16, 32];

export default fftAlgorithm({
  name: 'fft_tiling',
  summary: 'Fourier transforms of overlapping tiles of 16x16 or 32x32 pixels: for filters of 5x5 and more.',
  tilings({ R, S }) {
    const largest = Math.max(R, S);
    const found = SIZES.filter((size) => largest < size);
    if (found.length === 0)
      return `filters have to be smaller than its tiles of 32x32, and this one is ${R}x${S}`;
    return found.map((size) => ({ name: `tile ${size}`, tiling: { size: [size, size], whole: false } }));
  },
});
