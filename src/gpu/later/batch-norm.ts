import type { ShaderFiles } from '../sources.ts';

/** The shaders of batch norm. */
const files: ShaderFiles = import.meta.glob('/shaders/batch_norm/*.wgsl', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export default files;
