/** The arithmetic of the tables. */
import { DIRECTIONS, parseProblem, type Direction } from '../../src/engine/ops/conv/problem.ts';
import type { Spread } from '../../src/gpu/timing.ts';
import type { Launched, Lines, Peered } from './lines.ts';

/** One problem in one direction, by everyone who was measured. */
export interface Case {
  problem: string;
  direction: Direction;
  /** The fastest of all algorithms and launches. */
  wgrad?: Launched;
  /** The fastest of PyTorch's modes. */
  cudnn?: Peered;
  tfjs?: Peered;
  /** wgrad's time by cuDNN's: below 1 where wgrad is faster. */
  toCudnn?: number;
  /** How many times as fast wgrad is as TensorFlow.js: measured in turns if it was. */
  timesTfjs?: Spread | number;
}

const fastest = <T extends { ms: Spread }>(all: readonly T[]): T | undefined =>
  all.length === 0 ? undefined : all.reduce((best, one) => (one.ms.median < best.ms.median ? one : best));

/** A case for every problem and direction that anybody was measured in, in the order of the lines. */
export function casesOf({ wgrad, cudnn, tfjs, turns }: Lines): Case[] {
  const problems = new Set([...wgrad, ...cudnn, ...tfjs].map(({ problem }) => problem));
  return [...problems].flatMap((problem) =>
    DIRECTIONS.flatMap((direction) => {
      const here = <T extends { problem: string; direction: Direction }>(all: readonly T[]) =>
        all.filter((one) => one.problem === problem && one.direction === direction);
      const own = fastest(here(wgrad));
      const nvidia = fastest(here(cudnn));
      const google = fastest(here(tfjs));
      if (!own && !nvidia && !google) return [];
      const inTurns = here(turns).at(-1)?.times;
      const times = inTurns ?? (own && google && google.ms.median / own.ms.median);
      return {
        ...{ problem, direction },
        ...(own && { wgrad: own }),
        ...(nvidia && { cudnn: nvidia }),
        ...(google && { tfjs: google }),
        ...(own && nvidia && { toCudnn: own.ms.median / nvidia.ms.median }),
        ...(times !== undefined && { timesTfjs: times }),
      };
    }),
  );
}

export interface Ratios {
  count: number;
  geometricMean: number;
  worst: Case & { toCudnn: number };
}

/** How wgrad stands to cuDNN, without filters of 1x1; undefined where nothing can be compared. */
export function ratiosOf(cases: readonly Case[]): Ratios | undefined {
  const compared = cases.filter(
    (one): one is Case & { toCudnn: number } => one.toCudnn !== undefined && !isPointwise(one),
  );
  if (compared.length === 0) return undefined;
  return {
    count: compared.length,
    geometricMean: geometricMean(compared.map(({ toCudnn }) => toCudnn)),
    worst: compared.reduce((worst, one) => (one.toCudnn > worst.toCudnn ? one : worst)),
  };
}

function isPointwise({ problem }: Case): boolean {
  const { R, S } = parseProblem(problem);
  return R === 1 && S === 1;
}

export const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

/** In each direction, the case in which wgrad is the fewest times as fast as TensorFlow.js. */
export function fewestTimes(cases: readonly Case[]): (Case & { times: number })[] {
  return DIRECTIONS.flatMap((direction) => {
    const compared = cases.flatMap((one) => {
      const { timesTfjs: times } = one;
      if (one.direction !== direction || times === undefined) return [];
      return { ...one, times: typeof times === 'number' ? times : times.median };
    });
    if (compared.length === 0) return [];
    return compared.reduce((fewest, one) => (one.times < fewest.times ? one : fewest));
  });
}

export interface Gain {
  problem: string;
  direction: Direction;
  winograd: Launched;
  implicit: Launched;
  /** How many times as fast Winograd is. */
  times: number;
}

/** The fastest Winograd to the fastest implicit GEMM wherever C = K = `channels`. */
export function winogradGains({ wgrad }: Pick<Lines, 'wgrad'>, channels = 128): Gain[] {
  const isWanted = (problem: string) => {
    const { C, K } = parseProblem(problem);
    return C === channels && K === channels;
  };
  const problems = [...new Set(wgrad.map(({ problem }) => problem))].filter(isWanted);
  return problems.flatMap((problem) =>
    DIRECTIONS.flatMap((direction) => {
      const here = wgrad.filter((one) => one.problem === problem && one.direction === direction);
      const winograd = fastest(here.filter(({ algorithm }) => algorithm.startsWith('winograd_')));
      const implicit = fastest(here.filter(({ algorithm }) => algorithm === 'implicit_gemm'));
      if (!winograd || !implicit) return [];
      const times = implicit.ms.median / winograd.ms.median;
      return { problem, direction, winograd, implicit, times };
    }),
  );
}

/** The fastest product of each size, by size. */
export function productsOf({ gemm }: Pick<Lines, 'gemm'>): {
  size: number;
  wgrad: number | undefined;
  cublas: number | undefined;
}[] {
  const sizes = new Set([...gemm.wgrad, ...gemm.cublas].map(({ size }) => size));
  const best = (all: readonly { size: number; tflops: number }[], size: number) => {
    const here = all.filter((one) => one.size === size).map(({ tflops }) => tflops);
    return here.length === 0 ? undefined : Math.max(...here);
  };
  return [...sizes]
    .sort((a, b) => a - b)
    .map((size) => ({ size, wgrad: best(gemm.wgrad, size), cublas: best(gemm.cublas, size) }));
}
