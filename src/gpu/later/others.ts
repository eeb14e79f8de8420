import type { ShaderFiles } from '../sources.ts';

/** Everything but convolutions and products. */
const files: ShaderFiles = import.meta.glob(['/shaders/**/*.wgsl', '!/shaders/{conv,gemm}/**/*.wgsl'], {
  query: '?raw&later',
  import: 'default',
  eager: true,
});

export default files;
