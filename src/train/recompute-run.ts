/** Trains a submitted run again on the CPU engine, where it has the same numbers to the bit, and compares. */
import { Failure } from '../base/result.ts';
import { VERSION } from '../base/version.ts';
import type { datasetChecksum } from '../data/checksum.ts';
import type { Dataset } from '../data/dataset.ts';
import type { selectImages } from '../data/select.ts';
import type { DeviceSupply } from '../gpu/supply.ts';
import { lossesChecksum, stepOf, unpackLosses } from '../lessons/losses.ts';
import type { SubmittedRun } from '../lessons/submission.ts';
import { lossDifference, testDifference, type RunDifference, type RunVerdict } from '../lessons/verdict.ts';
import { parseModel } from '../models/file/parse.ts';
import { models } from '../models/index.ts';
import type { Evaluation } from '../run/metrics/rows.ts';
import { trainingConfig, type TrainingConfig } from './config.ts';
import { begun, forkOfWeights, type InitialWeights } from './fork.ts';
import type { RunListener } from './listener.ts';
import { TrainingRun } from './run.ts';

export interface RecomputeTools {
  /** Of devices of the CPU engine. What is compiled for one run serves those after it. */
  supply: DeviceSupply;
  /** @throws Failure if it is not here */
  dataset(name: string): Promise<Dataset>;
  checksum: typeof datasetChecksum;
  select: typeof selectImages;
  /** Of a network that wgrad comes with. */
  weights(name: string): Promise<InitialWeights>;
  /** Receives what the run reports. */
  watch?: Pick<RunListener, 'state' | 'steps' | 'evaluation'>;
}

/** Tests until the end do not stop it, as they did not stop the run for good. */
const NO_STOPS = { stopAccuracy: undefined, patience: undefined };

/**
 * Trains it with its seed and settings, up to the first step that differs. One of a GPU is not trained: no other machine
 * has the same last bits.
 * @param version of wgrad that made it: what differs by another one says nothing
 * @param maxSteps steps to compute at most: what comes later is not compared
 */
export async function recomputeRun(
  submitted: SubmittedRun,
  version: string,
  maxSteps: number | undefined,
  tools: RecomputeTools,
): Promise<RunVerdict> {
  const verdict = await verdictOf(submitted, tools, maxSteps ?? Infinity);
  return verdict.how === 'differs' && version !== VERSION
    ? { how: 'unchecked', why: 'version', steps: verdict.steps, there: version, here: VERSION }
    : verdict;
}

async function verdictOf(
  submitted: SubmittedRun,
  tools: RecomputeTools,
  maxSteps: number,
): Promise<RunVerdict> {
  const { engine, start, images } = submitted;
  const unchecked = { how: 'unchecked', steps: 0 } as const;
  if (engine === 'gpu') return { ...unchecked, why: 'gpu' };
  if (start !== undefined) return { ...unchecked, why: 'start', there: start };
  try {
    const dataset = await tools.dataset(submitted.dataset);
    const here = await tools.checksum(dataset);
    if (here !== images) return { ...unchecked, why: 'images', there: images, here };
    return await compared(submitted, await configOf(submitted, dataset, tools), tools, maxSteps);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...unchecked, why: 'absent', message: error.message };
  }
}

/** @throws Failure if something is not here, or does not fit together */
async function configOf(
  submitted: SubmittedRun,
  dataset: Dataset,
  tools: RecomputeTools,
): Promise<TrainingConfig> {
  const { settings, pins } = submitted;
  const model =
    typeof submitted.model === 'string'
      ? models.get(submitted.model)
      : parseModel('the network', JSON.stringify(submitted.model));
  const fresh = trainingConfig(settings, model, await tools.select(dataset, settings));
  const { initialWeights } = settings;
  const made =
    initialWeights === undefined
      ? fresh
      : begun(fresh, forkOfWeights(await tools.weights(initialWeights), fresh));
  return {
    ...made,
    ...NO_STOPS,
    adjustments: submitted.adjustments,
    pins: pins as TrainingConfig['pins'] & object,
  };
}

/** @throws Failure if no loss of these steps is in the file, or something is not here */
async function compared(
  submitted: SubmittedRun,
  config: TrainingConfig,
  tools: RecomputeTools,
  maxSteps: number,
): Promise<RunVerdict> {
  const steps = Math.min(submitted.steps, maxSteps);
  const isWhole = steps === submitted.steps;
  const { every } = submitted.losses;
  const stepAt = (i: number) => stepOf(i, every, submitted.steps);
  const expected = unpackLosses(submitted.losses)?.filter((_, i) => stepAt(i) <= steps);
  if (!expected?.length)
    throw new Failure(
      'not-found',
      `expected at least ${every} steps, whose last loss is in the file, found ${steps}`,
    );
  const losses: number[] = [];
  const tests = new Map<number, Evaluation>();
  /** Those that were computed until now, of the losses in the file. */
  const recomputed = () =>
    Float32Array.from(
      Array.from(expected, (_, i) => losses[stepAt(i) - 1]).filter((loss) => loss !== undefined),
    );
  const difference = (of: Float32Array, here: Float32Array) =>
    lossDifference(submitted.losses, submitted.steps, of, here);
  let failure: Failure | undefined;
  const run = new TrainingRun({ ...config, lastStep: steps }, tools.supply, {
    state: (state, at, error) => {
      tools.watch?.state?.(state, at, error);
      if (error) failure = new Failure(error.code, error.message, error.advice);
    },
    steps(rows) {
      for (const { step, loss } of rows) losses[step - 1] = loss;
      tools.watch?.steps?.(rows);
      const here = recomputed();
      if (difference(expected.subarray(0, here.length), here)) void run.pause();
    },
    evaluation(evaluation, results) {
      tests.set(evaluation.step, evaluation);
      tools.watch?.evaluation?.(evaluation, results);
    },
  });
  try {
    run.train();
    await run.settled();
  } finally {
    await run.close();
  }
  // A run that breaks down is computed up to there.
  if (failure && failure.code !== 'diverged') throw failure;
  const done = losses.length;
  const found =
    difference(expected, recomputed()) ??
    (isWhole ? await restDifference(submitted, losses, tests) : undefined);
  if (found) return { ...found, steps: done };
  return { how: 'confirmed', steps: done, compared: isWhole ? done : expected.length };
}

/** What of a run computed to its end differs beside the losses in the file. */
async function restDifference(
  { steps, losses: { checksum: there }, test }: SubmittedRun,
  losses: readonly number[],
  tests: ReadonlyMap<number, Evaluation>,
): Promise<RunDifference | undefined> {
  const here = await lossesChecksum(Float32Array.from(losses));
  if (here !== there) return { how: 'differs', what: 'checksum', step: steps, there, here };
  return test && testDifference(test, tests.get(test.step));
}
