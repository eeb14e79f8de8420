/** The arithmetic of the tables. */
import { regretOf } from '../../src/cli/bench/find.ts';
import { DIRECTIONS, parseProblem, type Direction } from '../../src/engine/ops/conv/problem.ts';
import { spreadOf, type Spread } from '../../src/gpu/timing.ts';
import {
  PEERS,
  type ByPyTorch,
  type ConvolutionLine,
  type Launched,
  type Lines,
  type Measurements,
  type PeerName,
  type Product,
  type Search,
  type Step,
  type TimedLine,
} from './lines.ts';

/** A peer at one task. */
export interface Rival {
  /** Its median in milliseconds. */
  ms?: number;
  /** How many times as fast wgrad is: measured in turns if it was. */
  times?: Spread | number;
}

/** One task, by everyone who was measured. */
export type FigureCase<Task, Own extends TimedLine = TimedLine> = Task & {
  /** Of a training step, the process in the middle; else the fastest of all that wgrad did. */
  wgrad?: Own;
  /** The medians of wgrad's processes in milliseconds, the fastest first. */
  processes: readonly number[];
  /** wgrad's median in turns, in milliseconds. */
  inTurns?: number;
  /** The fastest that was measured of PyTorch's modes. */
  pytorch?: ByPyTorch;
  /** PyTorch's medians in milliseconds. */
  modes: ReadonlyMap<string | undefined, number | undefined>;
  /** wgrad's time by the fastest that was measured of PyTorch's: below 1 where wgrad is faster. */
  toPytorch?: number;
  rivals: Readonly<Partial<Record<PeerName, Rival>>>;
};

export type ConvolutionCase = FigureCase<ConvolutionLine, Launched>;

const fastest = <T extends TimedLine>(all: readonly T[]): T | undefined =>
  all.length === 0 ? undefined : all.reduce((best, one) => (one.ms.median < best.ms.median ? one : best));

const byTime = <T extends TimedLine>(all: readonly T[]): T[] =>
  [...all].sort((a, b) => a.ms.median - b.ms.median);

/** Of an even number, the slower one in the middle. */
const middle = <T extends TimedLine>(all: readonly T[]): T | undefined =>
  byTime(all)[Math.floor(all.length / 2)];

/** A task by those who were measured at it; undefined if nobody was. */
function caseOf<Task extends object, Own extends TimedLine>(
  { wgrad, pytorch, turns, times }: Measurements<Task, Own>,
  task: Task,
  choose: (all: readonly (Task & Own)[]) => (Task & Own) | undefined = fastest,
): FigureCase<Task, Own> | undefined {
  const names = Object.keys(task) as (keyof Task)[];
  const here = <T extends Task>(all: readonly T[]) =>
    all.filter((one) => names.every((name) => one[name] === task[name]));
  const own = choose(here(wgrad));
  const nvidia = fastest(here(pytorch));
  const played = here(turns);
  if (!own && !nvidia && played.length === 0) return undefined;
  const inTurns = fastest(played.filter(({ library }) => library === 'wgrad'))?.ms.median;
  const modes = [...new Set(here(pytorch).map(({ mode }) => mode))];
  const inMode = (mode: string | undefined) =>
    fastest(here(pytorch).filter((one) => one.mode === mode))?.ms.median;
  const rivals = PEERS.flatMap((peer) => {
    const ms = fastest(played.filter(({ library }) => library === peer))?.ms.median;
    const measured = here(times)
      .filter((one) => one.peer === peer)
      .at(-1)?.times;
    const ratio = measured ?? (own && ms !== undefined ? ms / own.ms.median : undefined);
    if (ms === undefined && ratio === undefined) return [];
    return [[peer, { ...(ms !== undefined && { ms }), ...(ratio !== undefined && { times: ratio }) }]];
  });
  return {
    ...task,
    ...(own && { wgrad: own }),
    processes: byTime(here(wgrad)).map(({ ms }) => ms.median),
    ...(inTurns !== undefined && { inTurns }),
    ...(nvidia && { pytorch: nvidia }),
    modes: new Map(modes.map((mode) => [mode, inMode(mode)])),
    ...(own && nvidia && { toPytorch: own.ms.median / nvidia.ms.median }),
    rivals: Object.fromEntries(rivals) as ConvolutionCase['rivals'],
  };
}

/** The tasks that anybody was measured at, each once, in the order of the lines. @param key what tells them apart */
function tasksOf<Task>({ wgrad, pytorch, turns }: Measurements<Task>, key: (task: Task) => string): Task[] {
  return [...new Map([...wgrad, ...pytorch, ...turns].map((one) => [key(one), one])).values()];
}

/** The peers that there are any times of. */
export const peersIn = ({ turns, times }: Pick<Measurements<object>, 'turns' | 'times'>): PeerName[] =>
  PEERS.filter(
    (peer) => turns.some(({ library }) => library === peer) || times.some((one) => one.peer === peer),
  );

/**
 * A case for every problem and direction, in the order of the lines: of those that another library was measured in; if
 * none was, of all that wgrad was.
 */
export function convolutionCases(all: Lines['convolutions']): ConvolutionCase[] {
  const problems = new Set(tasksOf(all, ({ problem }) => problem).map(({ problem }) => problem));
  const cases = [...problems].flatMap((problem) =>
    DIRECTIONS.flatMap((direction) => caseOf(all, { problem, direction }) ?? []),
  );
  const compared = cases.filter(({ pytorch, rivals }) => pytorch || Object.keys(rivals).length > 0);
  return compared.length > 0 ? compared : cases;
}

/** By size. */
export function productCases(all: Lines['products']): FigureCase<Product>[] {
  return tasksOf(all, ({ size }) => `${size}`)
    .sort((a, b) => a.size - b.size)
    .flatMap(({ size }) => caseOf(all, { size }) ?? []);
}

/** By model's name; of each by optimiser in the order of the lines, then by batch and precision. */
export function stepCases(all: Lines['steps']): Map<string, FigureCase<Step>[]> {
  const tasks: readonly Step[] = tasksOf(all, ({ model, optimizer, batchSize, precision }) =>
    [model, optimizer, batchSize, precision].join(' '),
  );
  const optimizers = [...new Set(tasks.map(({ optimizer }) => optimizer))];
  const sorted = [...tasks].sort(
    (a, b) =>
      optimizers.indexOf(a.optimizer) - optimizers.indexOf(b.optimizer) ||
      a.batchSize - b.batchSize ||
      b.precision.localeCompare(a.precision),
  );
  const models = [...new Set(tasks.map(({ model }) => model))].sort();
  return new Map(
    models.map((name) => [
      name,
      sorted.flatMap(({ model, optimizer, batchSize, precision }) =>
        model === name ? (caseOf(all, { model, optimizer, batchSize, precision }, middle) ?? []) : [],
      ),
    ]),
  );
}

export interface Ratios {
  count: number;
  geometricMean: number;
  worst: ConvolutionCase & { toPytorch: number };
}

/** How wgrad stands to cuDNN, without filters of 1x1; undefined where nothing can be compared. */
export function ratiosOf(cases: readonly ConvolutionCase[]): Ratios | undefined {
  const compared = cases.filter(
    (one): one is Ratios['worst'] => one.toPytorch !== undefined && !isPointwise(one),
  );
  if (compared.length === 0) return undefined;
  return {
    count: compared.length,
    geometricMean: geometricMean(compared.map(({ toPytorch }) => toPytorch)),
    worst: compared.reduce((worst, one) => (one.toPytorch > worst.toPytorch ? one : worst)),
  };
}

function isPointwise({ problem }: ConvolutionLine): boolean {
  const { R, S } = parseProblem(problem);
  return R === 1 && S === 1;
}

export const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

/** In each direction, the case in which wgrad is the fewest times as fast as the peer. */
export function fewestTimes(
  cases: readonly ConvolutionCase[],
  peer: PeerName,
): (ConvolutionLine & { times: number })[] {
  return DIRECTIONS.flatMap((direction) => {
    const compared = cases.flatMap((one) => {
      const times = one.rivals[peer]?.times;
      if (one.direction !== direction || times === undefined) return [];
      const { problem } = one;
      return { problem, direction, times: typeof times === 'number' ? times : times.median };
    });
    if (compared.length === 0) return [];
    return compared.reduce((fewest, one) => (one.times < fewest.times ? one : fewest));
  });
}

/** The largest error of the fastest, wgrad's or PyTorch's; undefined where none is known. */
export function largestError(
  cases: readonly ConvolutionCase[],
  whose: 'wgrad' | 'pytorch',
): { one: ConvolutionCase; error: number } | undefined {
  const known = cases.flatMap((one) => {
    const error = one[whose]?.error;
    return error === undefined ? [] : { one, error };
  });
  if (known.length === 0) return undefined;
  return known.reduce((worst, each) => (each.error > worst.error ? each : worst));
}

export interface Gain {
  problem: string;
  direction: Direction;
  winograd: Launched;
  implicit: Launched;
  /** How many times as fast Winograd is. */
  times: number;
}

/** The fastest Winograd to the fastest implicit GEMM in those of the cases where C = K = `channels`. */
export function winogradGains(
  cases: readonly ConvolutionLine[],
  { wgrad }: Pick<Lines['convolutions'], 'wgrad'>,
  channels = 128,
): Gain[] {
  const shouldContinue = ({ problem }: ConvolutionLine) => {
    const { C, K } = parseProblem(problem);
    return C === channels && K === channels;
  };
  return cases.filter(shouldContinue).flatMap(({ problem, direction }) => {
    const here = wgrad.filter((one) => one.problem === problem && one.direction === direction);
    const winograd = fastest(here.filter(({ algorithm }) => algorithm.startsWith('winograd_')));
    const implicit = fastest(here.filter(({ algorithm }) => algorithm === 'implicit_gemm'));
    if (!winograd || !implicit) return [];
    const times = implicit.ms.median / winograd.ms.median;
    return { problem, direction, winograd, implicit, times };
  });
}

export interface BenchPrediction extends ReturnType<typeof regretOf> {
  suite: string;
  /** Of one problem. */
  seconds: Spread;
}

/** What `get` loses against `find`, suite by suite, and over all of them where there are several. */
export function predictionsOf({ searches }: Pick<Lines, 'searches'>): BenchPrediction[] {
  const all = [...searches.values()];
  const suites = [...new Set(all.map(({ suite }) => suite))];
  const predictionOf = (suite: string, some: readonly Search[]) => ({
    suite,
    ...regretOf(some),
    seconds: spreadOf(some.map(({ search_seconds }) => search_seconds)),
  });
  return [
    ...suites.map((name) =>
      predictionOf(
        name,
        all.filter(({ suite }) => suite === name),
      ),
    ),
    ...(suites.length > 1 ? [predictionOf('all', all)] : []),
  ];
}
