import { Random } from '../base/random.ts';
import { randomWords } from '../base/random-words.ts';

/**
 * Which samples make up each batch. The samples come as one endless stream of epochs, each in an order of its own (or
 * all in file order), cut into batches of one size: a batch may hold the end of one epoch and the start of the next.
 * Any step's batch follows from the seed alone, so that a run can go on from any step.
 */
export class BatchStream {
  private readonly orders = new Map<number, Uint32Array>();

  constructor(
    readonly count: number,
    readonly batchSize: number,
    private readonly seed: number,
    private readonly shuffle: boolean,
  ) {}

  /** The samples of step `step` (from 0). */
  batch(step: number): Uint32Array {
    const indices = new Uint32Array(this.batchSize);
    for (let i = 0; i < this.batchSize; i++) {
      const position = step * this.batchSize + i;
      const place = position % this.count;
      indices[i] = this.shuffle ? this.order(Math.floor(position / this.count))[place] : place;
    }
    return indices;
  }

  /** Whole epochs seen when `steps` steps are done. */
  epochsAfter(steps: number): number {
    return Math.floor((steps * this.batchSize) / this.count);
  }

  /** The number of steps after which `epochs` epochs have been seen. */
  stepsFor(epochs: number): number {
    return Math.ceil((epochs * this.count) / this.batchSize);
  }

  private order(epoch: number): Uint32Array {
    let order = this.orders.get(epoch);
    if (!order) {
      // A batch touches two epochs at most, or several where the set is smaller than a batch.
      if (this.orders.size > 1 + this.batchSize / this.count)
        this.orders.delete(this.orders.keys().next().value as number);
      order = new Random(this.seed, `epoch ${epoch}`).permutation(this.count);
      this.orders.set(epoch, order);
    }
    return order;
  }
}

/** Keeps the seeds of steps apart from other words of the run's seed: "STEP" in ASCII. */
const STEP_STREAM = 0x53544550;

/** What the random numbers of step `step` (from 0) are drawn from: of the run's seed and the step alone, as its batch is. */
export const stepSeed = (seed: number, step: number): number => randomWords(seed, STEP_STREAM, step)[0];

/**
 * How much the images of step `step` (from 0) weigh against their partners in mixup: drawn from Beta(alpha, alpha), in
 * whole parts of 65536, so that a machine whose powers differ in the last bit draws the same.
 */
export const mixWeight = (seed: number, step: number, alpha: number): number =>
  Math.round(65536 * new Random(stepSeed(seed, step), 'mixup').symmetricBeta(alpha)) / 65536;
