import type { ShaderFiles } from '../sources.ts';

/** The other kernels of convolutions. */
const files: ShaderFiles = import.meta.glob(
  ['/shaders/conv/**/*.wgsl', '!/shaders/conv/{direct,fft,winograd}/*.wgsl'],
  { query: '?raw&later', import: 'default', eager: true },
);

export default files;
