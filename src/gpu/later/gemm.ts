import type { ShaderFiles } from '../sources.ts';

/** Products of matrices. */
const files: ShaderFiles = import.meta.glob(['/shaders/gemm/*.wgsl'], {
  query: '?raw&later',
  import: 'default',
  eager: true,
});

export default files;
