/** Compares predictions with measurements: a table for one problem, and sums over many. */
import { find } from '../../engine/ops/conv/choice/find.ts';
import { get } from '../../engine/ops/conv/choice/get.ts';
import type { FindOptions } from '../../engine/ops/conv/choice/types.ts';
import { flops, problemKey, type ConvProblem, type Direction } from '../../engine/ops/conv/problem.ts';
import type { Device } from '../../gpu/device.ts';
import { isChoice, triedColumns } from './conv.ts';

/** A problem that was searched. */
export interface SearchComparison {
  /** The number of layers with this problem. */
  count: number;
  best_ms: number;
  get_ms: number;
  search_seconds: number;
}

/** All measurements for one problem, the prediction, and the time that it loses. */
export async function benchFind(
  device: Device,
  problem: ConvProblem,
  direction: Direction,
  options: Pick<FindOptions, 'workspace' | 'number' | 'samples' | 'most'>,
) {
  const found = await find(device, problem, direction, options);
  const exclude = (algorithm: string, launch: string) =>
    found.tried.some((one) => one.outcome !== 'timed' && isChoice(one, { algorithm, launch }));
  const { tried, absent, best, ties, doubt } = found;
  const predicted = best && get(device, problem, direction, { ...options, exclude });
  const medianOf = (choice: typeof best) => {
    const one = tried.find((each) => choice && isChoice(each, choice));
    return one?.outcome === 'timed' ? one.median : null;
  };
  const [best_ms, get_ms] = [medianOf(best), medianOf(predicted)];
  const search_seconds = found.elapsedMs / 1000;
  return {
    problem: problemKey(problem),
    direction,
    number: found.number,
    flop: flops(problem),
    best: best ?? null,
    best_ms,
    tflops: best_ms && flops(problem) / best_ms / 1e9,
    ties,
    get: predicted ?? null,
    get_ms,
    regret: best_ms !== null && get_ms !== null ? get_ms / best_ms - 1 : null,
    search_seconds,
    doubt,
    table: tried.map((one) => triedColumns(one, problem)),
    absent,
  };
}

/** The time that predictions lose and save over some problems. */
export function regretOf(comparisons: readonly SearchComparison[]) {
  const sum = (of: (one: SearchComparison) => number) =>
    comparisons.reduce((total, one) => total + of(one), 0);
  const [best, predicted] = [sum((one) => one.count * one.best_ms), sum((one) => one.count * one.get_ms)];
  const layers = sum(({ count }) => count);
  return {
    problems: comparisons.length,
    /** Mean over the problems, each once, and each as often as it occurs. */
    mean_regret: sum((one) => one.get_ms / one.best_ms - 1) / comparisons.length,
    mean_regret_of_layers: sum((one) => one.count * (one.get_ms / one.best_ms - 1)) / layers,
    /** Relative to the total time of all layers. */
    regret_of_total: predicted / best - 1,
    best_ms: best,
    get_ms: predicted,
    /** The time saved once by predicting instead of searching. */
    saved_seconds: sum((one) => one.search_seconds),
  };
}
