/**
 * What every library is asked to do: train LeNet-5 on given batches from given parameters. Whoever measures sees only
 * this, so that all are measured alike.
 */
import type { Normalisation } from '../../src/engine/samples.ts';
import type { ImageSet } from '../../src/data/dataset.ts';
import type { Engine } from '../../src/node/gpu.ts';
import type { Timed } from '../turns.ts';

export type OptimizerName = 'sgd' | 'adam';

export const OPTIMIZERS: readonly OptimizerName[] = ['sgd', 'adam'];

/** The learning rates that everyone trains with. */
export const LEARNING_RATE: Readonly<Record<OptimizerName, number>> = { sgd: 0.01, adam: 1e-3 };

/** Batches that take turns, the same in the same order for everyone. Few, so that a dozen steps show whether it learns. */
export const BATCHES = 4;

export interface Task {
  /** Where every library computes: on the GPU, or on one core of the processor. */
  engine: Engine;
  optimizer: OptimizerName;
  batchSize: number;
  /** For the initial parameters. */
  seed: number;
}

/** The images of the first BATCHES batches are taken in file order. */
export interface TaskData extends Normalisation {
  train: ImageSet;
}

/** Its time ends when the last step's loss is here. */
export interface Round extends Timed {
  /** The loss of each step, before its update. */
  losses: number[];
}

/** One library, ready to train; it remembers at which step it is. */
export interface Peer {
  train(steps: number): Promise<Round>;
  close(): Promise<void>;
}

export interface Library {
  /** "TensorFlow.js 4.22.0, WebGPU" */
  titleOn(engine: Engine): string;
  open(task: Task, data: TaskData): Promise<Peer>;
}

/** The places of a step's images in the data set. */
export function batchOf(step: number, batchSize: number, { train }: TaskData): Uint32Array {
  if (train.count < BATCHES * batchSize) {
    throw new Error(`${BATCHES} batches of ${batchSize} images need more than the ${train.count} there are`);
  }
  const first = (step % BATCHES) * batchSize;
  return Uint32Array.from({ length: batchSize }, (_, i) => first + i);
}
