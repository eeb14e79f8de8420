import type { ShaderFiles } from '../sources.ts';

/** Winograd convolution. */
const files: ShaderFiles = import.meta.glob(['/shaders/conv/winograd/*.wgsl'], {
  query: '?raw&later',
  import: 'default',
  eager: true,
});

export default files;
