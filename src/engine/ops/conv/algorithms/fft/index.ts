import { fftAlgorithm } from '../../fft/algorithm.ts';
import { wholeSize } from '../../fft/tilings.ts';

const LARGEST = 256;

export default fftAlgorithm({
  name: 'fft',
  summary: 'Fourier transforms of whole images, for filters that are large against them.',
  tilings(problem) {
    const size = wholeSize(problem);
    const name = size.join('x');
    if (Math.max(...size) > LARGEST) {
      return `it transforms up to ${LARGEST}x${LARGEST} points, and this image takes ${name}`;
    }
    return [{ name: `${name} points`, tiling: { size, whole: true } }];
  },
});
