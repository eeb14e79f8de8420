/** Calls a runner, wherever it is: in a worker of its own, or, in Node, in this thread. */
import { requestAdapter } from '../src/gpu/device.ts';
import type { Backend } from './contender.ts';
import type { Runner } from './runner.ts';
import type { Answer } from './worker.ts';

type Name = keyof Runner;

/** Why nothing can run on a backend here; undefined if it might. */
export async function whyAbsent(backend: Backend): Promise<string | undefined> {
  if (import.meta.env.SSR) {
    if (backend === 'webgl') return 'not in Node, which has no WebGL: run the study in a browser';
    await (await import('./node.ts')).bringNavigator();
  }
  if (backend !== 'webgpu') return undefined;
  const gpu = navigator.gpu as GPU | undefined;
  if (!gpu) return 'no WebGPU here: use a current Chrome, Edge or Safari';
  // In words of its own: each library has another error for it.
  if (await requestAdapter(gpu)) return undefined;
  return 'WebGPU finds no GPU here: update the graphics driver, turn on hardware acceleration in the browser, then restart it';
}

export interface Remote {
  /** @throws Error if the contender fails, or takes longer than the milliseconds allowed */
  call<N extends Name>(name: N, limit: number, ...args: Parameters<Runner[N]>): ReturnType<Runner[N]>;
  /** Ends it. Calls that are under way never return. */
  close(): void;
}

export async function openRemote(): Promise<Remote> {
  if (!import.meta.env.SSR) return new WorkerRemote();
  const [{ Runner }, { tidyUp }] = await Promise.all([import('./runner.ts'), import('./node.ts')]);
  const runner = new Runner();
  const call = (name: Name, limit: number, ...args: unknown[]) =>
    within(limit, (runner[name] as (...args: unknown[]) => Promise<unknown>)(...args)).finally(tidyUp);
  return { call: call as Remote['call'], close: () => undefined };
}

class WorkerRemote implements Remote {
  private readonly worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  private readonly waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  private calls = 0;

  constructor() {
    this.worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      const call = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if ('error' in data) call?.reject(new Error(data.error));
      else call?.resolve(data.value);
    });
    this.worker.addEventListener('error', ({ message }) => {
      for (const { reject } of this.waiting.values())
        reject(new Error(message || 'its worker does not start'));
      this.waiting.clear();
    });
  }

  readonly call = ((name: Name, limit: number, ...args: unknown[]) => {
    const id = this.calls++;
    const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker takes none
    this.worker.postMessage({ id, name, args });
    return within(limit, answer);
  }) as Remote['call'];

  close(): void {
    this.worker.terminate();
  }
}

/** @throws Error if it takes longer */
function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${Math.round(ms / 1000)} seconds`)), ms);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
