import type { ShaderFiles } from '../sources.ts';

/** The shaders of what few networks or settings use. */
const files: ShaderFiles = import.meta.glob(
  [
    '/shaders/{activation,add,average,concat,conv/im2col_gemm,conv/pointwise,dropout,maxout}/*.wgsl',
    '/shaders/gemm/matrices.wgsl',
    '/shaders/conv/transpose.wgsl',
    '/shaders/gradients/factors.wgsl',
    '/shaders/loss/views.wgsl',
    '/shaders/measures/histogram.wgsl',
    '/shaders/optimizers/{rmsprop,muon/*}.wgsl',
    '/shaders/pooling/avg_*.wgsl',
    '/shaders/conv/direct/wgrad_shared.wgsl',
  ],
  { query: '?raw', import: 'default', eager: true },
);

export default files;
