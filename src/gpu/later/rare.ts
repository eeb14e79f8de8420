import type { ShaderFiles } from '../sources.ts';

/** The shaders of what few networks or settings use. */
const files: ShaderFiles = import.meta.glob(
  [
    '/shaders/{activation,add,average,concat,conv/im2col_gemm,conv/loops,conv/pointwise,dropout,maxout}/*.wgsl',
    '/shaders/gemm/matrices.wgsl',
    '/shaders/conv/transpose.wgsl',
    '/shaders/relu/*.wgsl',
    '/shaders/measures/histogram.wgsl',
    '/shaders/parameters/copy_weights.wgsl',
    '/shaders/gradients/factors.wgsl',
    '/shaders/loss/views.wgsl',
    '/shaders/optimizers/{rmsprop,muon/*}.wgsl',
    '/shaders/pooling/avg_*.wgsl',
    '/shaders/conv/direct/{dgrad,pack*,tile*,wgrad*}.wgsl',
    '/shaders/conv/implicit_gemm/{dgrad_strided,few_channels}.wgsl',
  ],
  { query: '?raw', import: 'default', eager: true },
);

export default files;
