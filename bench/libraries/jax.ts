/** What all benchmarks of jax-js on WebGPU begin with, and how each waits for it. */
import { defaultDevice, init, type numpy as np } from '../../peers/libraries/jax.ts';
import { dependencies } from '../../peers/package.json';
import type { Timed } from '../operations/peer.ts';

export const TITLE = `jax-js ${dependencies['@jax-js/jax']}, WebGPU`;

/** @throws Error if it has no WebGPU here */
export async function openJax(): Promise<void> {
  const devices = await init('webgpu');
  if (!devices.includes('webgpu')) {
    throw new Error(`jax-js has no webgpu backend here, only ${devices.join(', ')}`);
  }
  defaultDevice('webgpu');
}

/** Results that are issued before the first of them is waited for. */
const ON_THE_WAY = 16;

/**
 * Times a function's calls. jax-js computes nothing that nobody waits for, and submits what is waited for. So each result
 * has to be, with enough of them on the way that the GPU never rests.
 */
export async function timeCalls(compute: () => np.Array, calls: number): Promise<Timed> {
  const start = performance.now();
  const underway: Promise<void>[] = [];
  for (let i = 0; i < calls; i++) {
    const result = compute();
    underway.push(result.blockUntilReady().then(() => result.dispose()));
    if (underway.length > ON_THE_WAY) await underway.shift();
  }
  await Promise.all(underway);
  return { ms: performance.now() - start };
}
