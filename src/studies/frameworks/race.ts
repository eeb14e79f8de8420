/** The race: entrants are opened and judged one after the other, then timed in turns. */
import { Failure } from '../../base/result.ts';
import type { SampleSet } from '../../engine/samples.ts';
import type { StudyContext } from '../study.ts';
import { requireGoOn } from '../times.ts';
import { PEERS, type ContenderTask, type Peers, type Remote } from './contenders.ts';
import { ENTRANTS, nameOf, type Entrant, type TimedKind } from './entrants.ts';
import { expectedOf, heldOut, imageOf, makeTask, type Expected } from './task.ts';

/** How far probabilities and losses may be from float64's. */
export const TOLERANCE = 1e-4;

/** Milliseconds within which anything must be done. A software GPU compiles for long. */
const OPEN_LIMIT = 120_000;
const CALL_LIMIT = 60_000;

/** The page and the command line come without the other libraries. */
const NOT_INSTALLED = 'not installed (run “npm run peers”, then start wgrad again)';

export interface Sizes {
  batchSize: number;
  rounds: number;
  /** Milliseconds that a round of one entrant should last. */
  roundMs: number;
  /** Steps, from the first one, after which accuracy is measured. */
  steps: number;
  /** Images that it is measured on. */
  heldOut: number;
}

/** Milliseconds per call, one sample a round. */
export interface Samples {
  calls: number;
  samples: number[];
}

/** What became of an entrant. */
export interface Outcome {
  entrant: Entrant;
  /** Milliseconds from nothing until the network is loaded. */
  readyMs?: number;
  /** Milliseconds of the first image, with whatever the library compiles for it. */
  firstMs?: number;
  /** The largest difference of a probability or loss from float64. */
  difference?: number;
  /** 0 to 1, of images held out, after some steps. Absent if it does not train. */
  accuracy?: number;
  inference?: Samples;
  /** Absent if it does not train. */
  training?: Samples;
  /** Gzipped bytes. */
  fetched?: number;
  /** The name of what it computes on, from contenders that know it. */
  device?: string;
  /** Why there is nothing more. */
  failure?: string;
  /** That is because there is no such backend here. */
  absent?: boolean;
}

const KINDS = ['inference', 'training'] as const;

interface Runner {
  outcome: Outcome;
  remote: Remote;
  kinds: readonly TimedKind[];
}

type RaceContext = Pick<StudyContext, 'signal' | 'progress' | 'onlyCpu'>;

/** What was found out about each entrant, also if the race is stopped. */
export async function race(sizes: Sizes, context: RaceContext, peers: Peers = PEERS): Promise<Outcome[]> {
  const { signal, progress } = context;
  const work = { task: makeTask(sizes.batchSize), held: heldOut(sizes.heldOut), sizes };
  progress(0, 'Computing the reference in float64');
  const expected = expectedOf(work.task);
  const runners: Runner[] = [];
  const outcomes: Outcome[] = [];
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Failure('cancelled', 'Stopped.')));
  });
  // Handled where it is raced against.
  stopped.catch(() => undefined);
  /** Does something with an entrant; a stop ends it too. */
  const attempt = (
    runner: Runner,
    share: number,
    doing: string,
    what: () => Promise<void>,
  ): Promise<void> => {
    requireGoOn({ signal });
    progress(share, doing);
    return Promise.race([orFailure(runner, what), stopped]);
  };
  try {
    for (const [i, entrant] of ENTRANTS.entries()) {
      const outcome: Outcome = { entrant, ...(await obstacleTo(entrant, context.onlyCpu, peers)) };
      outcomes.push(outcome);
      if (outcome.failure !== undefined) continue;
      const runner: Runner = { outcome, remote: await peers.openRemote(), kinds: [] };
      runners.push(runner);
      await attempt(runner, (0.6 * i) / ENTRANTS.length, `${nameOf(entrant)}: load and check`, () =>
        qualify(runner, work, expected),
      );
    }
    for (let round = 0; round < sizes.rounds; round++) {
      for (const runner of runners) {
        const doing = `round ${round + 1} of ${sizes.rounds}: ${nameOf(runner.outcome.entrant)}`;
        await attempt(runner, 0.6 + (0.4 * round) / sizes.rounds, doing, () => runRound(runner, expected));
      }
    }
    // After the clocks: it fetches everything once more.
    for (const runner of runners)
      await attempt(runner, 1, 'counting what was fetched', async () => {
        const bytes = await runner.remote.call('fetchedBytes', CALL_LIMIT);
        if (bytes !== undefined) runner.outcome.fetched = bytes;
      });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'cancelled') throw error;
    for (const outcome of outcomes)
      if (outcome.difference === undefined) outcome.failure ??= 'stopped before it was checked';
  } finally {
    for (const { remote } of runners) remote.close();
  }
  return outcomes;
}

/** Why an entrant cannot race here, if it cannot. */
async function obstacleTo(
  { place, backend, package: name }: Entrant,
  onlyCpu: boolean,
  { whyAbsent, versionOf }: Peers,
): Promise<Pick<Outcome, 'failure' | 'absent'>> {
  const leftOut = onlyCpu && place === 'GPU' ? 'not measured: only the CPU was requested' : undefined;
  const failure = leftOut ?? (await whyAbsent(backend));
  if (failure !== undefined) return { failure, absent: true };
  return name !== undefined && (await versionOf(name)) === undefined ? { failure: NOT_INSTALLED } : {};
}

interface Work {
  task: ContenderTask;
  held: SampleSet;
  sizes: Sizes;
}

/** Before the clocks: its answers are judged, and how many calls fill a round. */
async function qualify(runner: Runner, { task, held, sizes }: Work, expected: Expected): Promise<void> {
  const { outcome } = runner;
  const { lacks } = outcome.entrant;
  await openAndJudge(runner, task, expected);
  if (!lacks.training) outcome.accuracy = await accuracyOf(runner, expected, sizes, held);
  runner.kinds = KINDS.filter((kind) => lacks[kind] === undefined);
  for (const kind of runner.kinds)
    outcome[kind] = { calls: await callsOf(runner, kind, expected, sizes), samples: [] };
}

async function runRound(runner: Runner, expected: Expected): Promise<void> {
  for (const kind of runner.kinds) {
    const { samples, calls } = runner.outcome[kind] as Samples;
    samples.push((await timed(runner, kind, expected, calls)) / calls);
  }
}

/** Does something with an entrant that has not failed; what is thrown is how it failed. */
async function orFailure({ outcome, remote }: Runner, work: () => Promise<void>): Promise<void> {
  if (outcome.failure !== undefined) return;
  try {
    await work();
  } catch (error) {
    outcome.failure = error instanceof Error ? error.message : String(error);
    remote.close();
  }
}

/** @throws Error if it fails, or if its answers are wrong */
async function openAndJudge(
  { outcome, remote }: Runner,
  task: ContenderTask,
  expected: Expected,
): Promise<void> {
  const { file, backend, lacks } = outcome.entrant;
  const { ms, device } = await remote.call('open', OPEN_LIMIT, file, backend, task);
  outcome.readyMs = ms;
  if (device !== undefined) outcome.device = device;
  let difference = 0;
  for (const [i, { image, probabilities }] of expected.answers.entries()) {
    const found = await remote.call('infer', OPEN_LIMIT, image, 1);
    if (i === 0) outcome.firstMs = found.ms;
    difference = Math.max(difference, largestDifference(found.probabilities, probabilities));
  }
  for (const loss of lacks.training === undefined ? expected.losses : []) {
    const found = await remote.call('train', OPEN_LIMIT, 1);
    difference = Math.max(difference, largestDifference([found.loss], [loss]));
  }
  outcome.difference = difference;
  if (difference <= TOLERANCE) return;
  throw new Error(
    `its results differ from float64 by ${difference.toExponential(1)}; at most ${TOLERANCE} is allowed`,
  );
}

/** Trains further from the judged steps, then asks for images one by one, as in every entrant. */
async function accuracyOf(
  { remote }: Runner,
  { losses }: Expected,
  { steps }: Sizes,
  held: SampleSet,
): Promise<number> {
  await remote.call('train', OPEN_LIMIT, steps - losses.length);
  let correct = 0;
  for (const [i, label] of held.labels.entries()) {
    const { probabilities } = await remote.call('infer', CALL_LIMIT, imageOf(held, i), 1);
    if (probabilities.indexOf(Math.max(...probabilities)) === label) correct++;
  }
  return correct / held.count;
}

/** Infinity if their numbers are not as many, or not all finite. */
function largestDifference(found: readonly number[], expected: ArrayLike<number>): number {
  if (found.length !== expected.length || !found.every(Number.isFinite)) return Infinity;
  return Math.max(...found.map((value, i) => Math.abs(value - expected[i])));
}

/** The calls that fill a round. What is computed to find out warms up. */
async function callsOf(
  runner: Runner,
  kind: TimedKind,
  expected: Expected,
  { roundMs }: Sizes,
): Promise<number> {
  for (let calls = 1; ;) {
    const ms = await timed(runner, kind, expected, calls);
    const wanted = Math.max(1, Math.round((calls * roundMs) / Math.max(ms, 0.01)));
    if (ms > roundMs / 2) return wanted;
    calls = Math.min(wanted, 10 * calls);
  }
}

/** Milliseconds of some calls. */
async function timed(
  { remote }: Runner,
  kind: TimedKind,
  { answers }: Expected,
  calls: number,
): Promise<number> {
  const { ms } = await (kind === 'inference'
    ? remote.call('infer', CALL_LIMIT, answers[0].image, calls)
    : remote.call('train', CALL_LIMIT, calls));
  return ms;
}
