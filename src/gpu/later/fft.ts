import type { ShaderFiles } from '../sources.ts';

/** Convolution by Fourier transforms. */
const files: ShaderFiles = import.meta.glob(['/shaders/conv/fft/*.wgsl'], {
  query: '?raw&later',
  import: 'default',
  eager: true,
});

export default files;
