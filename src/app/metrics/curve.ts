import { STEP_COLUMNS } from '../../worker/api.ts';

const COLUMNS = STEP_COLUMNS.length;
const EDGE = 10;

/** The smoothed curves look back over an eighth of the run, but over no more steps than this unless told otherwise. */
export const USUAL_LOOK_BACK = 64;

export interface StepRow {
  step: number;
  loss: number;
  accuracy: number;
  imagesPerSecond: number;
  learningRate: number;
  gradientNorm: number;
}

/** The columns of a curve's points, in step order; only the first `count` entries of each count. */
export interface CurvePoints {
  step: Float64Array;
  loss: Float32Array;
  /** The smallest and the largest loss of a point's steps. */
  lowLoss: Float32Array;
  highLoss: Float32Array;
  smoothLoss: Float32Array;
  accuracy: Float32Array;
  smoothAccuracy: Float32Array;
  learningRate: Float32Array;
  gradientNorm: Float32Array;
  /** Seconds of training until then. */
  seconds: Float64Array;
}

/**
 * Loss and accuracy by training step, in bounded memory. Each point is the mean of `stride` steps; when `capacity` is
 * reached, neighbours are merged and the stride doubles, so that a run of any length keeps its whole shape. The first and
 * the last rows are kept as they came.
 */
export class Curve {
  readonly points: CurvePoints;
  count = 0;
  /** Steps to a point. */
  stride = 1;
  /** Images a step, from which its time follows. */
  batchSize = 0;
  /** The first rows of the run, unmerged. */
  readonly head: StepRow[] = [];
  /** The newest rows, unmerged. */
  readonly tail: StepRow[] = [];

  private readonly capacity: number;
  private inPoint = 0;
  private lossSum = 0;
  private accuracySum = 0;
  private normSum = 0;
  private low = Infinity;
  private high = -Infinity;
  private seconds = 0;
  private longest = USUAL_LOOK_BACK;
  private lossMean = NaN;
  private accuracyMean = NaN;

  constructor(capacity = 16384) {
    this.capacity = capacity;
    this.points = {
      step: new Float64Array(capacity),
      loss: new Float32Array(capacity),
      lowLoss: new Float32Array(capacity),
      highLoss: new Float32Array(capacity),
      smoothLoss: new Float32Array(capacity),
      accuracy: new Float32Array(capacity),
      smoothAccuracy: new Float32Array(capacity),
      learningRate: new Float32Array(capacity),
      gradientNorm: new Float32Array(capacity),
      seconds: new Float64Array(capacity),
    };
  }

  get last(): StepRow | undefined {
    return this.tail.at(-1);
  }

  clear(): void {
    this.count = 0;
    this.stride = 1;
    this.head.length = 0;
    this.tail.length = 0;
    this.lossMean = NaN;
    this.accuracyMean = NaN;
    this.seconds = 0;
    this.emptyPoint();
  }

  /** Appends rows of STEP_COLUMNS. A step that is not after the last one replaces everything from it on. */
  append(rows: Float64Array): void {
    for (let at = 0; at + COLUMNS <= rows.length; at += COLUMNS) {
      const row: StepRow = {
        step: rows[at],
        loss: rows[at + 1],
        accuracy: rows[at + 2],
        imagesPerSecond: rows[at + 3],
        learningRate: rows[at + 4],
        gradientNorm: rows[at + 5],
      };
      if (this.last && row.step <= this.last.step) this.rewind(row.step - 1);
      this.push(row);
    }
  }

  /** Forgets what came after `step`. */
  rewind(step: number): void {
    while (this.head.length > 0 && this.head[this.head.length - 1].step > step) this.head.pop();
    while (this.tail.length > 0 && this.tail[this.tail.length - 1].step > step) this.tail.pop();
    while (this.count > 0 && this.points.step[this.count - 1] > step) this.count--;
    this.emptyPoint();
    const end = this.count - 1;
    if (this.tail.length === 0) {
      const beyondHead = end >= 0 && this.points.step[end] > (this.head.at(-1)?.step ?? 0);
      this.tail.push(...(beyondHead ? [this.rowAt(end)] : this.head));
    }
    this.seconds = end < 0 ? 0 : this.points.seconds[end];
    this.lossMean = end < 0 ? NaN : this.points.smoothLoss[end];
    this.accuracyMean = end < 0 ? NaN : this.points.smoothAccuracy[end];
  }

  /** Over how many steps the smoothed curves look back at most; 1 smooths nothing. What was drawn is smoothed anew. */
  get lookBack(): number {
    return this.longest;
  }

  set lookBack(steps: number) {
    this.longest = steps;
    const { points, stride } = this;
    this.lossMean = this.accuracyMean = NaN;
    for (let i = 0; i < this.count; i++) {
      this.smooth(points.step[i], points.loss[i], points.accuracy[i], stride);
      points.smoothLoss[i] = this.lossMean;
      points.smoothAccuracy[i] = this.accuracyMean;
    }
  }

  /** A point as a row, for when the rows themselves are not kept any more. */
  private rowAt(point: number): StepRow {
    const { step, loss, accuracy, learningRate } = this.points;
    return {
      step: step[point],
      loss: loss[point],
      accuracy: accuracy[point],
      imagesPerSecond: NaN,
      learningRate: learningRate[point],
      gradientNorm: this.points.gradientNorm[point],
    };
  }

  private push(row: StepRow): void {
    if (this.head.length < EDGE) this.head.push(row);
    this.tail.push(row);
    if (this.tail.length > EDGE) this.tail.shift();

    this.smooth(row.step, row.loss, row.accuracy, 1);
    const took = this.batchSize / row.imagesPerSecond;
    if (Number.isFinite(took)) this.seconds += took;

    this.low = Math.min(this.low, row.loss);
    this.high = Math.max(this.high, row.loss);
    this.lossSum += row.loss;
    this.accuracySum += row.accuracy;
    this.normSum += row.gradientNorm;
    if (++this.inPoint < this.stride) return;
    const { points, count } = this;
    points.step[count] = row.step;
    points.loss[count] = this.lossSum / this.inPoint;
    points.accuracy[count] = this.accuracySum / this.inPoint;
    points.lowLoss[count] = this.low;
    points.highLoss[count] = this.high;
    points.learningRate[count] = row.learningRate;
    points.gradientNorm[count] = this.normSum / this.inPoint;
    points.seconds[count] = this.seconds;
    points.smoothLoss[count] = this.lossMean;
    points.smoothAccuracy[count] = this.accuracyMean;
    this.count++;
    this.emptyPoint();
    if (this.count === this.capacity) this.merge();
  }

  /** Moves the means towards a point of so many steps. */
  private smooth(step: number, loss: number, accuracy: number, steps: number): void {
    // A loss that is not finite would stick in the average for ever.
    if (!Number.isFinite(loss)) return;
    const kept = 1 - 1 / Math.min(this.longest, 1 + step / 8);
    const share = 1 - kept ** steps;
    this.lossMean = blend(this.lossMean, loss, share);
    this.accuracyMean = blend(this.accuracyMean, accuracy, share);
  }

  private merge(): void {
    const { step, loss, smoothLoss, accuracy, smoothAccuracy, lowLoss, highLoss } = this.points;
    const { learningRate, gradientNorm, seconds } = this.points;
    const half = this.count >> 1;
    for (let i = 0; i < half; i++) {
      step[i] = step[2 * i + 1];
      lowLoss[i] = Math.min(lowLoss[2 * i], lowLoss[2 * i + 1]);
      highLoss[i] = Math.max(highLoss[2 * i], highLoss[2 * i + 1]);
      learningRate[i] = learningRate[2 * i + 1];
      seconds[i] = seconds[2 * i + 1];
      gradientNorm[i] = (gradientNorm[2 * i] + gradientNorm[2 * i + 1]) / 2;
      loss[i] = (loss[2 * i] + loss[2 * i + 1]) / 2;
      accuracy[i] = (accuracy[2 * i] + accuracy[2 * i + 1]) / 2;
      smoothLoss[i] = smoothLoss[2 * i + 1];
      smoothAccuracy[i] = smoothAccuracy[2 * i + 1];
    }
    this.count = half;
    this.stride *= 2;
  }

  private emptyPoint(): void {
    this.inPoint = 0;
    this.lossSum = 0;
    this.accuracySum = 0;
    this.normSum = 0;
    this.low = Infinity;
    this.high = -Infinity;
  }
}

/** Moves a mean a share of the way to a new value; a mean that is not there yet starts at it. */
const blend = (mean: number, value: number, share: number): number =>
  Number.isNaN(mean) ? value : mean + share * (value - mean);
