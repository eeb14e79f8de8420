/** The nine cases, forward and backward. */
import type { ConvSetting, Launch } from '../../engine/ops/conv/algorithm.ts';
import { convAlgorithms } from '../../engine/ops/conv/algorithms/index.ts';
import { find } from '../../engine/ops/conv/choice/find.ts';
import { openLaunch } from '../../engine/ops/conv/choice/open-launch.ts';
import { convProblem, DIRECTIONS, type ConvProblem, type Direction } from '../../engine/ops/conv/problem.ts';
import { DEFAULT_WORKSPACE, launchesOf, whyNot } from '../../engine/ops/conv/run.ts';
import type { Device } from '../../gpu/device.ts';
import { timeWork, type Encode } from '../../gpu/timing.ts';
import { square } from '../../models/suites.ts';
import type { BarLine, StudyContext, Time } from '../study.ts';
import { fastestOf, ratioTo, requireGoOn, searching, sumOf, timeOf } from '../times.ts';
import { BASE, CONTESTANTS, LARGEST, PASSES, passOf, type Contestant, type Pass } from './contestants.ts';

/** N and K of the nine cases. */
const SIZES = [1, 4, 16];
const SMALL_CASES = [{ N: 16, K: 4 }];

/** Launches of each bar that are tried: its best guesses. */
const GUESSES = 3;

/** A sample takes at most about this long; a slow device makes fewer calls. */
const SAMPLE_MS = 200;

/** What each direction computes, as the report's check of accuracy names it. */
export const RESULTS: Readonly<Record<Direction, string>> = {
  fprop: 'output',
  dgrad: 'gradient of the input',
  wgrad: 'gradient of the weights',
};

interface Measured {
  time?: Time;
  launch?: string;
  /** Against float64. */
  error?: number;
  missing?: string;
}

export const caseProblem = (N: number, K: number): ConvProblem =>
  convProblem({ ...square(4, 32, K, 3, 1), N });

export async function measureCases(context: StudyContext): Promise<void> {
  const { small, report, progress } = context;
  const cases = small ? SMALL_CASES : SIZES.flatMap((N) => SIZES.map((K) => ({ N, K })));
  const lines: BarLine[] = [];
  const errors = new Map<Direction, number>();
  for (const [i, { N, K }] of cases.entries()) {
    const label = `N ${N}, K ${K}`;
    const times = new Map<Direction, Map<Contestant, Measured>>();
    for (const [j, direction] of DIRECTIONS.entries()) {
      requireGoOn(context);
      progress((0.7 * (i + j / DIRECTIONS.length)) / cases.length, `${label}, ${direction}`);
      const measured = await measureCase(context, caseProblem(N, K), direction);
      times.set(direction, measured);
      const { error = NaN } = measured.get(CONTESTANTS[0]) ?? {};
      errors.set(direction, Math.max(errors.get(direction) ?? 0, error));
    }
    const of = (direction: Direction, one: Contestant): Measured => times.get(direction)?.get(one) ?? {};
    const passes: Record<Pass, (one: Contestant) => Measured> = {
      forward: (one) => of('fprop', one),
      backward: (one) => both(of('dgrad', one), of('wgrad', one)),
    };
    for (const pass of PASSES) {
      const base = passes[pass](CONTESTANTS[0]);
      for (const one of CONTESTANTS) {
        const bar = one.bars[pass];
        if (bar === undefined) continue;
        lines.push(lineOf(pass, label, bar, bar === BASE ? base : passes[pass](one), base.time));
        report(lines[lines.length - 1]);
      }
    }
  }
  reportLargest(lines, report);
  for (const [direction, error] of errors)
    report({ figure: 'accuracy', cells: { result: RESULTS[direction], error } });
}

/** The largest ratio of each bar in the cases of 16 images, and the base's time in the same case and pass. */
export function reportLargest(lines: readonly BarLine[], report: (line: BarLine) => void): void {
  const largest = lines.filter((line) => line.case.startsWith('N 16,'));
  for (const { case: name, bar, of } of LARGEST) {
    const [slowest] = largest
      .filter((line) => of.includes(line.bar) && line.ratio)
      .sort((a, b) => (b.ratio?.value ?? 0) - (a.ratio?.value ?? 0));
    if (!slowest) continue;
    const base = largest.find(
      (line) => line.bar === BASE && line.case === slowest.case && line.figure === slowest.figure,
    );
    for (const [line, as] of [
      [base, BASE],
      [slowest, bar],
    ] as const) {
      if (line)
        report({
          ...line,
          figure: 'largest',
          case: name,
          bar: as,
          detail: `${line.figure}, ${line.case}: ${line.bar === as ? '' : `${line.bar}, `}${line.detail}`,
        });
    }
  }
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
    detail: launch,
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
): Promise<Map<Contestant, Measured>> {
  const setting: ConvSetting = { device, problem, workspace: DEFAULT_WORKSPACE, number: 'f32' };
  const contestants = CONTESTANTS.filter(({ bars }) => bars[passOf(direction)] !== undefined);
  const tried = contestants.map((one) => launchesFor(one, setting, direction, small ? 1 : GUESSES));
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
  const results = new Map<Contestant, Measured>();
  for (const [i, one] of contestants.entries()) {
    const own = one.algorithms;
    const best = fastestOf({
      tried: found.tried.filter((each) =>
        tried[i].some(({ algorithm, launch }) => isSame(each, algorithm, launch.name)),
      ),
    });
    const chosen = best && tried[i].find(({ algorithm, launch }) => isSame(best, algorithm, launch.name));
    if (!chosen) {
      const failed = found.tried.find((each) => own.includes(each.algorithm) && each.outcome !== 'timed');
      const reason = failed && 'reason' in failed ? failed.reason : undefined;
      results.set(one, { missing: reason ?? whyNot(convAlgorithms.get(own[0]), setting, direction) ?? '' });
      continue;
    }
    const time = await timeCalls(setting, direction, chosen.launch, best.median, small);
    results.set(one, { time, launch: `${best.algorithm}, ${best.launch}`, error: best.error });
  }
  return results;
}

const isSame = (one: { algorithm: string; launch: string }, algorithm: string, launch: string) =>
  one.algorithm === algorithm && one.launch === launch;

function launchesFor(
  { algorithms, launches }: Contestant,
  setting: ConvSetting,
  direction: Direction,
  most: number,
): { algorithm: string; launch: Launch<Direction> }[] {
  return algorithms.flatMap((name) => {
    const algorithm = convAlgorithms.get(name);
    if (whyNot(algorithm, setting, direction) !== undefined) return [];
    return launchesOf(algorithm, setting, direction)
      .filter((launch) => launches?.[direction].test(launch.name) ?? true)
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
  const { plan, destroy } = await openLaunch(setting, direction, launch);
  try {
    return await timeManyCalls(setting.device, (pass) => plan.encode(pass), expectedMs, small);
  } finally {
    destroy();
  }
}

/** @param expectedMs the approximate time of one call */
export async function timeManyCalls(
  device: Device,
  encode: Encode,
  expectedMs: number,
  small: boolean,
): Promise<Time> {
  const wanted = small ? 4 : 100;
  const { samples, repetitions, clock } = await timeWork(device, encode, {
    samples: small ? 3 : 10,
    maxRepetitions: Math.max(1, Math.min(wanted, Math.floor(SAMPLE_MS / expectedMs))),
    // Unreachable, so that each sample has all calls.
    minimumMs: Infinity,
  });
  return timeOf(samples, repetitions, clock);
}
