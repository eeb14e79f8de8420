import type { ShaderFiles } from '../sources.ts';

/** Direct convolution, with which the CPU engine starts. */
const files: ShaderFiles = import.meta.glob(['/shaders/conv/direct/*.wgsl'], {
  query: '?raw&later',
  import: 'default',
  eager: true,
});

export default files;
