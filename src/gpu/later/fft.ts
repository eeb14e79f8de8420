import type { ShaderFiles } from '../sources.ts';

/** The shaders of Fourier transforms. */
const files: ShaderFiles = import.meta.glob('/shaders/conv/fft/*.wgsl', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export default files;
