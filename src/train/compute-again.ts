/** Computes a run that somebody handed in again, and compares. */
import { Failure } from '../base/result.ts';
import { VERSION } from '../base/version.ts';
import type { datasetChecksum } from '../data/checksum.ts';
import type { Dataset } from '../data/dataset.ts';
import type { selectImages } from '../data/select.ts';
import type { DeviceSupply } from '../gpu/supply.ts';
import { parseModel } from '../models/file/parse.ts';
import { models } from '../models/index.ts';
import type { HandedRun, HandedTest } from '../run/handed-in/format.ts';
import { lossesChecksum, stepOf, unpackLosses } from '../run/handed-in/losses.ts';
import { firstDifference, fitsTest, type Differing, type RunVerdict } from '../run/handed-in/verdict.ts';
import type { Evaluation } from '../run/metrics/rows.ts';
import { trainingConfig, type TrainingConfig } from './config.ts';
import { begun, forkOfWeights, type InitialWeights } from './fork.ts';
import type { RunListener } from './listener.ts';
import { TrainingRun } from './run.ts';

export interface AgainTools {
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

const TESTED = [
  'testLoss',
  'testAccuracy',
  'validationLoss',
  'validationAccuracy',
] as const satisfies Differing[];

/**
 * Trains it on the CPU engine with its seed and settings, up to the first step that differs.
 * @param version of wgrad that made it: what differs by another one says nothing
 * @param most steps to compute at most: what comes later is not compared
 */
export async function computeAgain(
  given: HandedRun,
  version: string,
  most: number | undefined,
  tools: AgainTools,
): Promise<RunVerdict> {
  const verdict = await verdictOf(given, tools, most ?? Infinity);
  return verdict.how === 'differs' && version !== VERSION
    ? { how: 'unchecked', why: 'version', steps: verdict.steps, there: version, here: VERSION }
    : verdict;
}

async function verdictOf(given: HandedRun, tools: AgainTools, most: number): Promise<RunVerdict> {
  if (given.start !== undefined) return { how: 'unchecked', why: 'start', steps: 0, there: given.start };
  try {
    const dataset = await tools.dataset(given.dataset);
    const here = await tools.checksum(dataset);
    if (here !== given.images)
      return { how: 'unchecked', why: 'images', steps: 0, there: given.images, here };
    return await compared(given, await configOf(given, dataset, tools), tools, most);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { how: 'unchecked', why: 'absent', steps: 0, message: error.message };
  }
}

/** @throws Failure if something is not here, or does not fit together */
async function configOf(given: HandedRun, dataset: Dataset, tools: AgainTools): Promise<TrainingConfig> {
  const { settings, pins } = given;
  const model =
    typeof given.model === 'string'
      ? models.get(given.model)
      : parseModel('the network', JSON.stringify(given.model));
  const fresh = trainingConfig(settings, model, await tools.select(dataset, settings));
  const { initialWeights } = settings;
  const made =
    initialWeights === undefined
      ? fresh
      : begun(fresh, forkOfWeights(await tools.weights(initialWeights), fresh));
  return {
    ...made,
    ...NO_STOPS,
    adjustments: given.adjustments,
    pins: pins as TrainingConfig['pins'] & object,
  };
}

async function compared(
  given: HandedRun,
  config: TrainingConfig,
  tools: AgainTools,
  most: number,
): Promise<RunVerdict> {
  const { engine } = given;
  const steps = Math.min(given.steps, most);
  const isWhole = steps === given.steps;
  const { every } = given.losses;
  const packed = unpackLosses(given.losses) ?? new Float32Array();
  const there = packed.subarray(0, isWhole ? packed.length : Math.floor(steps / every));
  const stepAt = (i: number) => stepOf(i, every, given.steps);
  const losses: number[] = [];
  const tests = new Map<number, Evaluation>();
  /** What has been computed of the losses that are in the file. */
  const hereSoFar = () => {
    const count =
      losses.length >= steps ? there.length : Math.min(there.length, Math.floor(losses.length / every));
    return Float32Array.from({ length: count }, (_, i) => losses[stepAt(i) - 1]);
  };
  let failure: Failure | undefined;
  const run = new TrainingRun({ ...config, lastStep: steps }, tools.supply, {
    state: (state, at, error) => {
      tools.watch?.state?.(state, at, error);
      if (error) failure = new Failure(error.code, error.message, error.advice);
    },
    steps(rows) {
      for (const { step, loss } of rows) losses[step - 1] = loss;
      tools.watch?.steps?.(rows);
      const here = hereSoFar();
      // One on a GPU is compared by stretches: only once all of it is there.
      if (engine === 'cpu' && firstDifference(engine, there.subarray(0, here.length), here, { every, steps }))
        void run.pause();
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
  const here = hereSoFar();
  const difference = firstDifference(engine, there.subarray(0, here.length), here, {
    every,
    steps: given.steps,
  });
  if (difference) return { ...difference, steps: done };
  if (here.length < there.length && engine === 'cpu') {
    const i = here.length;
    return { how: 'differs', what: 'loss', step: stepAt(i), there: there[i], here: NaN, steps: done };
  }
  const good = { how: engine === 'cpu' ? 'confirmed' : 'agrees', steps: done } as const;
  if (!isWhole) return good;
  const { checksum } = given.losses;
  const own = engine === 'cpu' ? await lossesChecksum(Float32Array.from(losses)) : checksum;
  if (own !== checksum)
    return { how: 'differs', what: 'checksum', step: given.steps, there: checksum, here: own, steps: done };
  const other = given.test && testDifference(engine, given.test, tests);
  return other ? { ...other, steps: done } : good;
}

/** The first result of a test that differs; undefined if none does. */
function testDifference(
  engine: HandedRun['engine'],
  test: HandedTest,
  tests: ReadonlyMap<number, Evaluation>,
): Omit<Extract<RunVerdict, { how: 'differs' }>, 'steps'> | undefined {
  const { step } = test;
  for (const what of TESTED) {
    const [there, here] = [test[what], tests.get(step)?.[what]].map((value) => value ?? NaN);
    if (!fitsTest(engine, what, there, here)) return { how: 'differs', what, step, there, here };
  }
  return undefined;
}
