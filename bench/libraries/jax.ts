/** What all benchmarks of jax-js begin with, and how each waits for it. */
import { defaultDevice, init, type numpy as np } from '../../peers/libraries/jax.ts';
import { dependencies } from '../../peers/package.json';
import type { Engine } from '../../src/node/gpu.ts';
import type { Timed } from '../turns.ts';

const BACKENDS = { gpu: 'webgpu', cpu: 'wasm' } as const;

export const titleOn = (engine: Engine): string =>
  `jax-js ${dependencies['@jax-js/jax']}, ${engine === 'gpu' ? 'WebGPU' : 'WASM'}`;

export const TITLE = titleOn('gpu');

/** @throws Error if it has no backend for the engine here */
export async function openJax(engine: Engine = 'gpu'): Promise<void> {
  const backend = BACKENDS[engine];
  const devices = await init(backend);
  if (!devices.includes(backend)) {
    throw new Error(`jax-js has no ${backend} backend here, only ${devices.join(', ')}`);
  }
  defaultDevice(backend);
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
