/** What every contender of the frameworks race does: the same LeNet, from the same weights, on the same images. */
import type { StateDict } from '../src/engine/parameters.ts';
import type { SampleSet } from '../src/engine/samples.ts';

export type Backend = 'webgpu' | 'webgl' | 'wasm' | 'cpu';

export interface ContenderTask {
  /** Under PyTorch's names and in its layouts: filters K C R S, matrices out x in. */
  weights: StateDict;
  /** Images of 28x28 bytes, a whole number of batches, which take turns. Networks see bytes divided by 255. */
  train: SampleSet;
  batchSize: number;
  /** Of SGD without momentum. */
  learningRate: number;
}

/** The network on one backend. */
export interface LeNet {
  /** The name of what it computes on, if the library says it. */
  device?: string;
  /** Makes its backend the library's current one; called before each of the others. Where contenders share a thread, a library has one. */
  select?(): Promise<unknown> | void;
  /** The ten classes' probabilities for one image of 28x28 bytes. */
  infer(image: Uint8Array): Promise<ArrayLike<number>>;
  /** Trains for some steps, the batches in turn. Returns the last one's loss, before its update; a library may return the mean of all. */
  train?(steps: number): Promise<number>;
}

export interface Contender {
  /** Loads the library's backend and the weights. @throws if the backend does not work here */
  open(backend: Backend, task: ContenderTask): Promise<LeNet>;
}
