import type { ShaderFiles } from '../sources.ts';

/** The shaders of channels-last convolutions. */
const files: ShaderFiles = import.meta.glob('/shaders/conv/channels_last/*.wgsl', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export default files;
