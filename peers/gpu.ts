/** Where wgrad computes: on WebGPU, or on the CPU by its own engine. */
import { lazily } from '../src/base/lazily.ts';
import type { Backend } from './contender.ts';

const cpuEngine = lazily(() => import('../src/cpu/page.ts'));

const nodeEngine = async (engine: 'cpu') => (await import('../src/node/gpu.ts')).nodeGpu(engine);

/** @throws Error if there is no such thing here */
export async function gpuOf(backend: Backend): Promise<GPU> {
  if (backend === 'cpu') return import.meta.env.SSR ? nodeEngine('cpu') : (await cpuEngine()).pageCpu();
  const gpu = navigator.gpu as GPU | undefined;
  if (backend !== 'webgpu' || !gpu) throw new Error(`wgrad has no ${backend} here`);
  return gpu;
}
