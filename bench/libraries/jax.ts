/** What all benchmarks of jax-js begin with, and how each waits for it. */
import { defaultDevice, init, type numpy as np } from '@jax-js/jax';
import { dependencies } from '../package.json';
import type { Timed } from '../turns.ts';

export const TITLE = `jax-js ${dependencies['@jax-js/jax']}, WebGPU`;

/** @throws Error if it would run on something else than WebGPU */
export async function openJax(): Promise<void> {
  const devices = await init('webgpu');
  if (!devices.includes('webgpu')) throw new Error(`jax-js has no WebGPU here, only ${devices.join(', ')}`);
  defaultDevice('webgpu');
}

/** Results that are issued before the first of them is waited for. */
const ON_THE_WAY = 16;

/**
 * jax-js computes nothing that nobody waits for, and submits what is waited for. So each result has to be, with enough
 * of them on the way that the GPU never rests.
 */
export class Underway {
  private readonly results: Promise<unknown>[] = [];

  async add(result: Promise<unknown>): Promise<void> {
    this.results.push(result);
    if (this.results.length > ON_THE_WAY) await this.results.shift();
  }

  async done(): Promise<void> {
    await Promise.all(this.results);
  }
}

/** Times a function's calls. */
export async function timeCalls(compute: () => np.Array, calls: number): Promise<Timed> {
  const start = performance.now();
  const underway = new Underway();
  for (let i = 0; i < calls; i++) {
    const result = compute();
    await underway.add(result.blockUntilReady().then(() => result.dispose()));
  }
  await underway.done();
  return { ms: performance.now() - start };
}
