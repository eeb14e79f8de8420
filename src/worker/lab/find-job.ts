/** Runs one `find` after another and reports each result. */
import { Failure } from '../../base/result.ts';
import { convAlgorithms } from '../../engine/ops/conv/algorithms/index.ts';
import { MAX_TRIED } from '../../engine/ops/conv/choice/candidates.ts';
import { find } from '../../engine/ops/conv/choice/find.ts';
import { rank } from '../../engine/ops/conv/choice/rank.ts';
import type {
  FindOptions,
  FindResult as EngineFound,
  TimedLaunch,
  LaunchResult as EngineTried,
} from '../../engine/ops/conv/choice/types.ts';
import { timeLoops } from '../../engine/ops/conv/loops.ts';
import { convProblem, flops, problemKey, type ProblemSizes } from '../../engine/ops/conv/problem.ts';
import { whyNot } from '../../engine/ops/conv/run.ts';
import type { Device } from '../../gpu/device.ts';
import { spreadOf } from '../../gpu/timing.ts';
import type {
  ConvChoice,
  FindJob,
  FindRequest,
  Found,
  LaneChoice,
  ProblemSummary,
  SampleSpread,
  Tried,
} from '../api.ts';
import { averageTime } from './average.ts';
import type { Bench } from './job.ts';
import { launchesBuiltFrom } from './kernels.ts';
import { timeInTurns } from './in-turns.ts';
import { timeOnCpu } from './on-cpu.ts';
import { settingOf } from './setting.ts';

export async function runFindJob(bench: Bench, { requests, edits }: FindJob): Promise<void> {
  bench.report({ step: 'begun', requests, uses: [] });
  for (const [index, request] of requests.entries()) {
    await measureOne(bench, index, request, { edits });
  }
}

export function summaryOf(sizes: ProblemSizes): ProblemSummary {
  const problem = convProblem(sizes);
  return { problem, key: problemKey(problem), flops: flops(problem) };
}

/**
 * The result of one request; undefined if it could not be measured, which is reported.
 * @throws Failure `cancelled`, or `device-lost`
 */
export async function measureOne(
  bench: Bench,
  index: number,
  request: FindRequest,
  { exclude, edits = {} }: { exclude?: Exclude; edits?: FindJob['edits'] } = {},
): Promise<EngineFound | undefined> {
  const { device, signal, report, openCpu } = bench;
  const { direction, number, workspace, algorithms = convAlgorithms.names() } = request;
  if (signal.aborted) throw new Failure('cancelled', 'Stopped.');
  try {
    const summary = summaryOf(request.sizes);
    const setting = settingOf(device, request);
    const { problem } = setting;
    const absent = algorithms.flatMap((algorithm) => {
      const reason = whyNot(convAlgorithms.get(algorithm), setting, direction);
      return reason === undefined ? [] : [{ algorithm, reason }];
    });
    report({ step: 'measuring', index, problem: summary, absent });
    if (request.loops) {
      const { samples } = await timeLoops(bench, problem, direction);
      if (samples.length > 0) report({ step: 'loops', index, spread: spreadWith(samples) });
    }
    const options: FindOptions = {
      algorithms,
      workspace,
      number,
      launchSize: request.launchSize,
      signal,
      exclude,
      samples: request.samples,
      ...(request.thorough && !device.onProcessor ? { most: MAX_TRIED } : {}),
    };
    const found = await find(device, problem, direction, {
      ...options,
      onTried: (tried) => report({ step: 'tried', index, tried }),
      onCompiled: (done, total) => report({ step: 'compiling', index, done, total, yours: false }),
    });
    const withYours = await findYours(found, edits, device, request, {
      ...options,
      onTried: (tried) => report({ step: 'tried', index, tried: { ...tried, yours: true } }),
      onCompiled: (done, total) => report({ step: 'compiling', index, done, total, yours: true }),
    });
    if (request.averageOf !== undefined) {
      for (const { algorithm, launch, median } of bestOfEach(found)) {
        if (signal.aborted) throw new Failure('cancelled', 'Stopped.');
        const choice = { algorithm, launch };
        const average = await averageTime(setting, direction, choice, request.averageOf, median);
        report({ step: 'average', index, average });
      }
    }
    report({ step: 'found', index, found: withYours });
    if (request.cpu && !device.adapter.cpu) {
      report({ step: 'cpu', index, cpu: await timeOnCpu(openCpu, request, signal) });
    }
    return found;
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'cancelled' || error.code === 'device-lost')
      throw error;
    report({ step: 'refused', index, error: error.value });
    return undefined;
  }
}

type Exclude = NonNullable<FindOptions['exclude']>;

/** Launches that are measured only because an edited file belongs to them, and those that are timed in turns. */
const MOST_EXTRA = 4;

/**
 * Measures the launches once more that were built from an edited file, those that are right in turns with the original,
 * and adds their results. Edited WGSL is used only meanwhile: training never uses it.
 */
async function findYours(
  found: EngineFound,
  edits: FindJob['edits'],
  device: Device,
  request: FindRequest,
  options: FindOptions,
): Promise<Found> {
  const names = Object.keys(edits);
  if (names.length === 0) return found;
  const { kernels } = device;
  const { onTried: _, onCompiled: __, ...quiet } = options;
  const search = (choices: readonly ConvChoice[], how: FindOptions) =>
    find(device, found.problem, found.direction, {
      ...how,
      algorithms: [...new Set(choices.map(({ algorithm }) => algorithm))],
      exclude: (algorithm, launch) =>
        !choices.some((one) => one.algorithm === algorithm && one.launch === launch),
      most: choices.length,
    });
  let originals: readonly EngineTried[] = found.tried;
  let touched: readonly ConvChoice[] = originals.filter(({ shaders }) =>
    shaders.some((file) => names.includes(file)),
  );
  if (touched.length === 0) {
    const all = await launchesBuiltFrom(device, request, options.algorithms ?? [], names);
    if (all.length === 0) return found;
    touched = all.slice(0, MOST_EXTRA);
    originals = [...originals, ...(await search(touched, quiet)).tried];
  }
  try {
    for (const [name, text] of Object.entries(edits)) kernels.replaceSource(name, text);
    const again = await search(touched, options);
    const setting = settingOf(device, request);
    const inTurns: TimedLaunch[] = [];
    const right = again.tried.filter((one) => one.outcome === 'timed');
    for (const one of right.sort((a, b) => a.median - b.median).slice(0, MOST_EXTRA)) {
      const original = originals.find((other) => isSame(other, one));
      if (original?.outcome !== 'timed') continue;
      if (options.signal?.aborted) throw new Failure('cancelled', 'Stopped.');
      const [before, after] = await timeInTurns(setting, found.direction, edits, [original, one]);
      originals = originals.map((other) => (other === original ? before : other));
      inTurns.push(after);
    }
    const yours = again.tried.map((one) => inTurns.find((other) => isSame(other, one)) ?? one);
    const tried: Tried[] = [...originals, ...yours.map((one): Tried => ({ ...one, yours: true }))];
    return { ...found, tried, ...rankingOf(tried), elapsedMs: found.elapsedMs + again.elapsedMs };
  } finally {
    for (const name of names) kernels.replaceSource(name, undefined);
  }
}

const isSame = (a: ConvChoice, b: ConvChoice): boolean =>
  a.algorithm === b.algorithm && a.launch === b.launch;

function rankingOf(tried: readonly Tried[]): Pick<Found, 'best' | 'ties' | 'unclear'> {
  const choiceOf = ({ algorithm, launch, yours }: LaneChoice): LaneChoice => ({ algorithm, launch, yours });
  const { best, ties, unclear } = rank(tried.filter((one) => one.outcome === 'timed'));
  return { best: best && choiceOf(best), ties: ties.map(choiceOf), unclear: unclear.map(choiceOf) };
}

export const spreadWith = (samples: readonly number[]): SampleSpread => ({
  ...spreadOf(samples),
  samples: samples.length,
});

/** The fastest launch of each algorithm with a result. */
function bestOfEach({ tried }: EngineFound) {
  const timed = tried.filter((one) => one.outcome === 'timed').sort((a, b) => a.median - b.median);
  return timed.filter(({ algorithm }, i) => timed.findIndex((one) => one.algorithm === algorithm) === i);
}
