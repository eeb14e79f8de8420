/** The nine cases, forward and backward. */
import type { ConvSetting, Launch } from '../../engine/ops/conv/algorithm.ts';
import { convAlgorithms } from '../../engine/ops/conv/algorithms/index.ts';
import { find } from '../../engine/ops/conv/choice/find.ts';
import { openLaunch } from '../../engine/ops/conv/choice/open-launch.ts';
import type { Timed } from '../../engine/ops/conv/choice/types.ts';
import { convProblem, DIRECTIONS, type ConvProblem, type Direction } from '../../engine/ops/conv/problem.ts';
import { DEFAULT_WORKSPACE, launchesOf, whyNot } from '../../engine/ops/conv/run.ts';
import { timeWork } from '../../gpu/timing.ts';
import { square } from '../../models/suites.ts';
import type { BarLine, Ratio, StudyContext, Time } from '../study.ts';
import { ratioTo, requireGoOn, searching, sumOf, timeOf } from '../times.ts';
import { BASE, CONTESTANTS, LARGEST, type Contestant } from './contestants.ts';

/** N and K of the nine cases. */
const SIZES = [1, 4, 16];
const SMALL_CASES = [{ N: 16, K: 4 }];

/** Launches of each bar that are tried: its best guesses. */
const GUESSES = 3;

/** A sample takes at most about this long; a slow device makes fewer calls. */
const SAMPLE_MS = 200;

interface Measured {
  time?: Time;
  launch?: string;
  missing?: string;
}

export const caseProblem = (N: number, K: number): ConvProblem =>
  convProblem({ ...square(4, 32, K, 3, 1), N });

export async function measureCases(context: StudyContext): Promise<void> {
  const { small, report, progress } = context;
  const cases = small ? SMALL_CASES : SIZES.flatMap((N) => SIZES.map((K) => ({ N, K })));
  const largest = new Map<string, BarLine & { ratio: Ratio }>();
  const add = (line: BarLine) => {
    report(line);
    const { ratio, bar, figure, case: where } = line;
    if (!ratio || !where.startsWith('N 16,') || ratio.value <= (largest.get(bar)?.ratio.value ?? 0)) return;
    largest.set(bar, { ...line, ratio, figure: 'largest', case: LARGEST, detail: `${figure}, ${where}` });
  };
  for (const [i, { N, K }] of cases.entries()) {
    const label = `N ${N}, K ${K}`;
    const times = new Map<Direction, Map<string, Measured>>();
    for (const [j, direction] of DIRECTIONS.entries()) {
      requireGoOn(context);
      progress((i + j / DIRECTIONS.length) / (cases.length + 1), `${label}, ${direction}`);
      times.set(direction, await measureCase(context, caseProblem(N, K), direction));
    }
    const of = (direction: Direction, bar: string): Measured => times.get(direction)?.get(bar) ?? {};
    const passes = {
      forward: (bar: string) => of('fprop', bar),
      backward: (bar: string) => both(of('dgrad', bar), of('wgrad', bar)),
    };
    for (const [figure, measured] of Object.entries(passes)) {
      const base = measured(BASE);
      for (const { name: bar } of CONTESTANTS)
        add(lineOf(figure, label, bar, bar === BASE ? base : measured(bar), base.time));
    }
  }
  for (const one of largest.values()) report(one);
}

function lineOf(
  figure: string,
  where: string,
  bar: string,
  { time, launch, missing }: Measured,
  base?: Time,
): BarLine {
  return {
    figure,
    case: where,
    bar,
    ...(time ? { time } : { missing: missing ?? 'not measured' }),
    ...(time && base ? { ratio: ratioTo(base, time) } : {}),
    ...(launch === undefined ? {} : { detail: launch }),
  };
}

function both(dgrad: Measured, wgrad: Measured): Measured {
  if (!dgrad.time || !wgrad.time) return { missing: dgrad.missing ?? wgrad.missing ?? 'not measured' };
  return { time: sumOf(dgrad.time, wgrad.time), launch: `dgrad: ${dgrad.launch}; wgrad: ${wgrad.launch}` };
}

/** Verifies the launches of all bars, then times the fastest of each. */
async function measureCase(
  { device, small, signal }: StudyContext,
  problem: ConvProblem,
  direction: Direction,
): Promise<Map<string, Measured>> {
  const setting: ConvSetting = { device, problem, workspace: DEFAULT_WORKSPACE, number: 'f32' };
  const tried = CONTESTANTS.map((one) => launchesFor(one, setting, direction, small ? 1 : GUESSES));
  const wanted = new Set(
    tried.flatMap((launches) => launches.map(({ algorithm, launch }) => `${algorithm} ${launch.name}`)),
  );
  const algorithms = [...new Set(tried.flat().map(({ algorithm }) => algorithm))];
  const found = await find(device, problem, direction, {
    algorithms,
    exclude: (algorithm, launch) => !wanted.has(`${algorithm} ${launch}`),
    most: wanted.size,
    samples: 3,
    ...searching({ small, signal }),
  });
  const results = new Map<string, Measured>();
  for (const [i, { name, algorithms: own }] of CONTESTANTS.entries()) {
    const [best] = found.tried
      .filter((one): one is Timed => one.outcome === 'timed')
      .filter((one) => tried[i].some(({ algorithm, launch }) => isSame(one, algorithm, launch.name)))
      .sort((a, b) => a.median - b.median);
    const chosen = best && tried[i].find(({ algorithm, launch }) => isSame(best, algorithm, launch.name));
    if (!chosen) {
      const failed = found.tried.find((one) => own.includes(one.algorithm) && one.outcome !== 'timed');
      const reason = failed && 'reason' in failed ? failed.reason : undefined;
      results.set(name, { missing: reason ?? whyNot(convAlgorithms.get(own[0]), setting, direction) ?? '' });
      continue;
    }
    const time = await timeCalls(setting, direction, chosen.launch, best.median, small);
    results.set(name, { time, launch: `${best.algorithm}, ${best.launch}` });
  }
  return results;
}

const isSame = (one: { algorithm: string; launch: string }, algorithm: string, launch: string) =>
  one.algorithm === algorithm && one.launch === launch;

function launchesFor(
  { algorithms, launch: prefix = '' }: Contestant,
  setting: ConvSetting,
  direction: Direction,
  most: number,
): { algorithm: string; launch: Launch<Direction> }[] {
  const start = direction === 'dgrad' ? '' : prefix;
  return algorithms.flatMap((name) => {
    const algorithm = convAlgorithms.get(name);
    if (whyNot(algorithm, setting, direction) !== undefined) return [];
    return launchesOf(algorithm, setting, direction)
      .filter((launch) => launch.name.startsWith(start))
      .slice(0, most)
      .map((launch) => ({ algorithm: name, launch }));
  });
}

/** Samples of many calls in a row. */
async function timeCalls(
  setting: ConvSetting,
  direction: Direction,
  launch: Launch<Direction>,
  expectedMs: number,
  small: boolean,
): Promise<Time> {
  const wanted = small ? 4 : 100;
  const calls = Math.max(1, Math.min(wanted, Math.floor(SAMPLE_MS / expectedMs)));
  const { plan, destroy } = await openLaunch(setting, direction, launch);
  try {
    const { samples, repetitions, clock } = await timeWork(setting.device, (pass) => plan.encode(pass), {
      samples: small ? 3 : 10,
      maxRepetitions: calls,
      // Unreachable, so that each sample has all calls.
      minimumMs: Infinity,
    });
    return timeOf(samples, repetitions, clock);
  } finally {
    destroy();
  }
}
