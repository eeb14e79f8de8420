/** A run as it is kept: plain data, as IndexedDB takes it. */
import type { ConvDirection, ConvUse, RunConfig, RunState } from '../../worker/api.ts';

/** The curves, in step order; all columns are equally long. */
export interface Points {
  step: Float64Array;
  loss: Float32Array;
  smoothLoss: Float32Array;
  accuracy: Float32Array;
  smoothAccuracy: Float32Array;
}

export const POINT_COLUMNS = ['loss', 'smoothLoss', 'accuracy', 'smoothAccuracy'] as const;

export interface TestResult {
  step: number;
  epoch: number;
  testLoss: number;
  /** 0 to 1. */
  testAccuracy: number;
}

export type Choices = Record<string, Partial<Record<ConvDirection, ConvUse>>>;

export interface RunRecord {
  id: string;
  name: string;
  /** Its place in the order of runs, from 1. */
  number: number;
  /** Of a fork: the run and the step whose weights it began with. Otherwise the run before it, without a step. */
  parent?: { id: string; name: string; step?: number };
  /** When it began and when something of it was last kept, in milliseconds as Date has them. */
  began: number;
  kept: number;
  config: RunConfig;
  /** For people: "LeNet-5", "Drawn digits". */
  model: string;
  dataset: string;
  classes: readonly string[];
  /** For people: the GPU's. */
  adapter: string;
  software: boolean;
  state: RunState;
  step: number;
  epoch: number;
  /** Milliseconds that it was training, tests included. */
  trainedMs: number;
  /** As last measured; undefined before that. */
  imagesPerSecond?: number;
  points: Points;
  evaluations: readonly TestResult[];
  /** Of the last evaluation: classes x classes counts, row is the true class. */
  confusion?: Uint32Array;
  /** How its convolutions were computed. */
  choices: Choices;
  /** Its weights are kept beside it. */
  weights?: { step: number; bytes: number };
  starred: boolean;
  note: string;
}

/** More points than this are on no screen. */
const MOST_POINTS = 1024;

/** The first `count` points as at most MOST_POINTS: each the mean of neighbours, at the last one's step. */
export function thinned(points: Points, count: number): Points {
  const group = Math.max(1, Math.ceil(count / MOST_POINTS));
  const length = Math.ceil(count / group);
  const thin: Points = {
    step: new Float64Array(length),
    loss: new Float32Array(length),
    smoothLoss: new Float32Array(length),
    accuracy: new Float32Array(length),
    smoothAccuracy: new Float32Array(length),
  };
  for (let i = 0; i < length; i++) {
    const end = Math.min(count, (i + 1) * group);
    thin.step[i] = points.step[end - 1];
    for (const column of POINT_COLUMNS) {
      let sum = 0;
      for (let j = i * group; j < end; j++) sum += points[column][j];
      thin[column][i] = sum / (end - i * group);
    }
  }
  return thin;
}

/** The points before a step, then others from there on. */
export function continued(before: Points, after: Points): Points {
  const from = after.step.length > 0 ? after.step[0] : Infinity;
  const count = before.step.findIndex((step) => step >= from);
  const kept = count < 0 ? before.step.length : count;
  const step = new Float64Array([...before.step.subarray(0, kept), ...after.step]);
  const column = (name: (typeof POINT_COLUMNS)[number]) =>
    new Float32Array([...before[name].subarray(0, kept), ...after[name]]);
  return {
    step,
    loss: column('loss'),
    smoothLoss: column('smoothLoss'),
    accuracy: column('accuracy'),
    smoothAccuracy: column('smoothAccuracy'),
  };
}

/** The tests of before a step and those that are known since, which count where both are of one step. */
export function testsWith(
  before: readonly TestResult[],
  since: readonly TestResult[],
  step: number,
): TestResult[] {
  const again = new Set(since.map((one) => one.step));
  const old = before.filter((one) => one.step < step && !again.has(one.step));
  return [...old, ...since].sort((a, b) => a.step - b.step);
}

/** 0 to 1; undefined before the first test. */
export const bestAccuracy = ({ evaluations }: Pick<RunRecord, 'evaluations'>): number | undefined =>
  evaluations.length === 0 ? undefined : Math.max(...evaluations.map(({ testAccuracy }) => testAccuracy));
