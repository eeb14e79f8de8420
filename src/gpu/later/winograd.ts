import type { ShaderFiles } from '../sources.ts';

/** The shaders of Winograd convolutions. */
const files: ShaderFiles = import.meta.glob('/shaders/conv/winograd/*.wgsl', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export default files;
