/** A run as it is saved: plain data, as IndexedDB takes it. */
import type { Points } from '../../run/metrics/points.ts';
import type { Evaluation } from '../../run/metrics/rows.ts';
import type { ConvDirection, ConvUse, RunConfig, RunState } from '../../worker/api.ts';

export type Choices = Record<string, Partial<Record<ConvDirection, ConvUse>>>;

export interface RunRecord {
  id: string;
  name: string;
  /** Its place in the order of runs, from 1. */
  number: number;
  /** Of a fork: the run and the step whose weights it began with. Otherwise the run before it, without a step. */
  parent?: { id: string; name: string; step?: number };
  /** When it began and when it was last saved, in milliseconds since 1970. */
  began: number;
  kept: number;
  config: RunConfig;
  /** For people: "LeNet-5", "Synthetic digits". */
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
  evaluations: readonly Evaluation[];
  /** Of the last evaluation: classes x classes counts, row is the true class. */
  confusion?: Uint32Array;
  /** How its convolutions were computed. */
  choices: Choices;
  /** Its weights are kept beside it. */
  weights?: { step: number; bytes: number };
  starred: boolean;
  note: string;
}

/** Evaluations from before a step and those since; the later one counts where both are of one step. */
export function evaluationsWith(
  before: readonly Evaluation[],
  since: readonly Evaluation[],
  step: number,
): Evaluation[] {
  const again = new Set(since.map((one) => one.step));
  const old = before.filter((one) => one.step < step && !again.has(one.step));
  return [...old, ...since].sort((a, b) => a.step - b.step);
}

/** 0 to 1; undefined before the first test. */
export const bestAccuracy = ({ evaluations }: Pick<RunRecord, 'evaluations'>): number | undefined =>
  evaluations.length === 0 ? undefined : Math.max(...evaluations.map(({ testAccuracy }) => testAccuracy));
