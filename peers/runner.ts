/** One contender at work, with a clock beside it. It lives in a worker of its own; see remote.ts. */
import type { Backend, Contender, LeNet, ContenderTask } from './contender.ts';
import { fetchedBytes } from './fetched.ts';

const contenders = import.meta.glob<Contender>('./contenders/*.ts', { import: 'default' });

/** Milliseconds, from before the first call until the last one's answer is there. */
export interface TimedCall {
  ms: number;
}

export class Runner {
  private network: LeNet | undefined;

  /** Loads a contender. @param name of its file */
  async open(
    name: string,
    backend: Backend,
    task: ContenderTask,
  ): Promise<TimedCall & { device: string | undefined }> {
    const start = performance.now();
    const contender = await contenders[`./contenders/${name}.ts`]();
    this.network = await contender.open(backend, task);
    return { ms: performance.now() - start, device: this.network.device };
  }

  /** Asks for one image's probabilities so many times, each time when the answer before it is there. */
  async infer(image: Uint8Array, calls: number): Promise<TimedCall & { probabilities: number[] }> {
    const network = this.network as LeNet;
    await network.select?.();
    const start = performance.now();
    let answer: ArrayLike<number> = [];
    for (let i = 0; i < calls; i++) answer = await network.infer(image);
    return { ms: performance.now() - start, probabilities: Array.from(answer) };
  }

  /** @returns `loss` as LeNet's `train` does */
  async train(steps: number): Promise<TimedCall & { loss: number }> {
    const { network } = this;
    if (!network?.train) throw new Error('it does not train');
    await network.select?.();
    const start = performance.now();
    const loss = await network.train(steps);
    return { ms: performance.now() - start, loss };
  }

  /** Gzipped bytes of all that was fetched here; undefined where the browser does not say. */
  readonly fetchedBytes = fetchedBytes;
}
