import type { ShaderFiles } from './sources.ts';

/** The shaders of transforms, of channels-last convolutions and of searches for the fastest algorithm. */
const files: ShaderFiles = import.meta.glob('/shaders/conv/{channels_last,choice,fft}/*.wgsl', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export default files;
