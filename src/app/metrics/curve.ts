import { STEP_COLUMNS } from '../../worker/api.ts';

const COLUMNS = STEP_COLUMNS.length;
const EDGE = 10;

/** How much of the old average a step keeps: the smoothed curves look back about 1 / (1 - SMOOTHING) steps. */
const SMOOTHING = 0.97;

export interface StepRow {
  step: number;
  loss: number;
  accuracy: number;
  imagesPerSecond: number;
}

/** The columns of a curve's points, in step order; only the first `count` entries of each count. */
export interface CurvePoints {
  step: Float64Array;
  loss: Float32Array;
  smoothLoss: Float32Array;
  accuracy: Float32Array;
  smoothAccuracy: Float32Array;
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
  /** The first rows of the run, unmerged. */
  readonly head: StepRow[] = [];
  /** The newest rows, unmerged. */
  readonly tail: StepRow[] = [];

  private readonly capacity: number;
  private inPoint = 0;
  private lossSum = 0;
  private accuracySum = 0;
  private lossMean = 0;
  private accuracyMean = 0;
  /** Sum of the averages' weights, to correct their start at zero. */
  private weight = 0;

  constructor(capacity = 16384) {
    this.capacity = capacity;
    this.points = {
      step: new Float64Array(capacity),
      loss: new Float32Array(capacity),
      smoothLoss: new Float32Array(capacity),
      accuracy: new Float32Array(capacity),
      smoothAccuracy: new Float32Array(capacity),
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
    this.lossMean = 0;
    this.accuracyMean = 0;
    this.weight = 0;
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
      };
      if (this.last && row.step <= this.last.step) this.rewind(row.step - 1);
      this.push(row);
    }
  }

  /** Forgets what came after `step`. */
  rewind(step: number): void {
    while (this.head.length > 0 && this.head[this.head.length - 1].step > step) this.head.pop();
    while (this.tail.length > 0 && this.tail[this.tail.length - 1].step > step) this.tail.pop();
    if (this.tail.length === 0) this.tail.push(...this.head);
    while (this.count > 0 && this.points.step[this.count - 1] > step) this.count--;
    this.emptyPoint();
    const end = this.count - 1;
    this.lossMean = end < 0 ? 0 : this.points.smoothLoss[end];
    this.accuracyMean = end < 0 ? 0 : this.points.smoothAccuracy[end];
    this.weight = end < 0 ? 0 : 1;
  }

  private push(row: StepRow): void {
    if (this.head.length < EDGE) this.head.push(row);
    this.tail.push(row);
    if (this.tail.length > EDGE) this.tail.shift();

    // Dividing by the weight so far makes the average start at the first value. A loss that is not finite would stick.
    if (Number.isFinite(row.loss)) {
      const weight = this.weight * SMOOTHING + (1 - SMOOTHING);
      const share = (1 - SMOOTHING) / weight;
      this.lossMean += share * (row.loss - this.lossMean);
      this.accuracyMean += share * (row.accuracy - this.accuracyMean);
      this.weight = weight;
    }

    this.lossSum += row.loss;
    this.accuracySum += row.accuracy;
    if (++this.inPoint < this.stride) return;
    const { points, count } = this;
    points.step[count] = row.step;
    points.loss[count] = this.lossSum / this.inPoint;
    points.accuracy[count] = this.accuracySum / this.inPoint;
    points.smoothLoss[count] = this.lossMean;
    points.smoothAccuracy[count] = this.accuracyMean;
    this.count++;
    this.emptyPoint();
    if (this.count === this.capacity) this.merge();
  }

  private merge(): void {
    const { step, loss, smoothLoss, accuracy, smoothAccuracy } = this.points;
    const half = this.count >> 1;
    for (let i = 0; i < half; i++) {
      step[i] = step[2 * i + 1];
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
  }
}
