/** Runs one `find` after another and reports each result. */
import { Failure } from '../../base/result.ts';
import { convAlgorithms } from '../../engine/ops/conv/algorithms/index.ts';
import { MAX_TRIED } from '../../engine/ops/conv/choice/candidates.ts';
import { find } from '../../engine/ops/conv/choice/find.ts';
import type { Found as EngineFound } from '../../engine/ops/conv/choice/types.ts';
import { convProblem, flops, problemKey, type ConvSizes } from '../../engine/ops/conv/problem.ts';
import { whyNot } from '../../engine/ops/conv/run.ts';
import { spreadOf } from '../../gpu/timing.ts';
import type { FindJob, FindRequest, ProblemSummary, Spread } from '../api.ts';
import { averageTime } from './average.ts';
import type { Bench } from './job.ts';
import { timeLoops } from '../../engine/ops/conv/loops.ts';
import { timeOnCpu } from './on-cpu.ts';

/** Edited WGSL is used only while this runs: training never uses it. */
export async function runFindJob(
  bench: Bench,
  { requests, edits }: FindJob,
  pausedRun: boolean,
): Promise<void> {
  bench.report({ step: 'begun', requests, uses: [], pausedRun });
  const { kernels } = bench.device;
  try {
    for (const [name, text] of Object.entries(edits)) kernels.replaceSource(name, text);
    for (const [index, request] of requests.entries()) {
      await measureOne(bench, index, request);
    }
  } finally {
    for (const name of Object.keys(edits)) kernels.replaceSource(name, undefined);
  }
}

export function summaryOf(sizes: ConvSizes): ProblemSummary {
  const problem = convProblem(sizes);
  return { problem, key: problemKey(problem), flops: flops(problem) };
}

/**
 * The result of one request; undefined if it could not be measured, which is reported.
 * @throws Failure `cancelled`, or `device-lost`
 */
export async function measureOne(
  { device, signal, report, openCpu }: Bench,
  index: number,
  request: FindRequest,
  exclude?: (algorithm: string, launch: string) => boolean,
): Promise<EngineFound | undefined> {
  const { direction, number, workspace, algorithms = convAlgorithms.names() } = request;
  if (signal.aborted) throw new Failure('cancelled', 'Stopped.');
  try {
    const summary = summaryOf(request.sizes);
    const problem = convProblem(request.sizes);
    const setting = { device, problem, workspace, number };
    const absent = algorithms.flatMap((algorithm) => {
      const reason = whyNot(convAlgorithms.get(algorithm), setting, direction);
      return reason === undefined ? [] : [{ algorithm, reason }];
    });
    report({ step: 'measuring', index, problem: summary, absent });
    if (request.loops) {
      const samples = await timeLoops(problem, direction, () => !signal.aborted);
      if (samples.length > 0) report({ step: 'loops', index, spread: spreadWith(samples) });
    }
    const found = await find(device, problem, direction, {
      algorithms,
      workspace,
      number,
      signal,
      ...(exclude ? { exclude } : {}),
      ...(request.thorough && !device.onProcessor ? { most: MAX_TRIED } : {}),
      onTried: (tried) => report({ step: 'tried', index, tried }),
    });
    if (request.averageOf !== undefined) {
      for (const { algorithm, launch, median } of bestOfEach(found)) {
        if (signal.aborted) throw new Failure('cancelled', 'Stopped.');
        const choice = { algorithm, launch };
        const average = await averageTime(setting, direction, choice, request.averageOf, median);
        report({ step: 'average', index, average });
      }
    }
    report({ step: 'found', index, found });
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

export const spreadWith = (samples: readonly number[]): Spread => ({
  ...spreadOf(samples),
  samples: samples.length,
});

/** The fastest launch of each algorithm with a result. */
function bestOfEach({ tried }: EngineFound) {
  const timed = tried.filter((one) => one.outcome === 'timed').sort((a, b) => a.median - b.median);
  return timed.filter(({ algorithm }, i) => timed.findIndex((one) => one.algorithm === algorithm) === i);
}
