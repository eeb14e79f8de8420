import { Random } from '../base/random.ts';
import { randomWords } from '../base/random-words.ts';

/**
 * Which samples make up each batch. The samples form one endless stream of epochs, each in its own order (or all in
 * file order), cut into batches of equal size: a batch may contain the end of one epoch and the start of the next. Any
 * step's batch follows from the seed alone, so a run can resume at any step.
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

  /** The place of the first sample of step `step` in the stream, modulo two epochs. */
  position(step: number): number {
    return (step * this.batchSize) % (2 * this.count);
  }

  /** Whole epochs completed after `steps` steps. */
  epochsAfter(steps: number): number {
    return Math.floor((steps * this.batchSize) / this.count);
  }

  /** The number of steps after which `epochs` epochs are complete. */
  stepsFor(epochs: number): number {
    return Math.ceil((epochs * this.count) / this.batchSize);
  }

  private order(epoch: number): Uint32Array {
    let order = this.orders.get(epoch);
    if (!order) {
      // A batch contains parts of two epochs at most, or of several if the set is smaller than a batch.
      if (this.orders.size > 1 + this.batchSize / this.count)
        this.orders.delete(this.orders.keys().next().value as number);
      order = new Random(this.seed, `epoch ${epoch}`).permutation(this.count);
      this.orders.set(epoch, order);
    }
    return order;
  }
}

/** The stream of step seeds, separate from other streams of the run's seed: "STEP" in ASCII. */
const STEP_STREAM = 0x53544550;

/**
 * The seed of the random numbers of step `step` (from 0). It follows from the run's seed and the step alone, as the
 * batch does.
 */
export const stepSeed = (seed: number, step: number): number => randomWords(seed, STEP_STREAM, step)[0];

/**
 * The weight of the images of step `step` (from 0) against their partners in mixup, with distribution Beta(alpha,
 * alpha). It is rounded to multiples of 1/65536, so that machines whose powers differ in the last bit agree.
 */
export const mixWeight = (seed: number, step: number, alpha: number): number =>
  Math.round(65536 * new Random(stepSeed(seed, step), 'mixup').symmetricBeta(alpha)) / 65536;
