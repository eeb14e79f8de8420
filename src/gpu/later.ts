import type { ShaderFiles } from './sources.ts';

/** All shaders. */
const files: ShaderFiles = import.meta.glob('/shaders/**/*.wgsl', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export default files;
