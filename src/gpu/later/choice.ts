import type { ShaderFiles } from '../sources.ts';

/** The shaders of searches for the fastest algorithm. */
const files: ShaderFiles = import.meta.glob('/shaders/conv/choice/*.wgsl', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export default files;
