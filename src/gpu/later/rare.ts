import type { ShaderFiles } from '../sources.ts';

/** The shaders of what few networks or settings use. */
const files: ShaderFiles = import.meta.glob(
  ['/shaders/{activation,conv/pointwise,dropout,maxout}/*.wgsl', '/shaders/gradients/factors.wgsl'],
  { query: '?raw', import: 'default', eager: true },
);

export default files;
