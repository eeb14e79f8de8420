/** A sweep: the same run with several learning rates and batch sizes, one after the other, kept as a group. */
import { create } from 'zustand';
import type { FailureValue } from '../../../base/result.ts';
import { uniqueId } from '../../../base/unique-id.ts';
import type { RunConfig } from '../../../worker/api.ts';
import { ask } from '../../client.ts';
import { bestEvaluation, choosingAccuracy } from '../../../run/metrics/rows.ts';
import { rateOf, type RunRecord } from '../../journal/record.ts';
import { runStanding } from '../../state/run.ts';
import { useApp } from '../../state/store.ts';
import { runs as texts } from '../../messages/en/runs.tsx';
import { numberIn } from '../../widgets/number-rule.ts';

/** What a sweep can hold: it takes a while, and a picture of it has to be read. */
export const MAX_CELLS = 64;

interface SweepState {
  /** The sweep that is shown. */
  id: string | undefined;
  /** The one that is under way, how many of its runs are done, and of what. */
  running: { id: string; done: number; lrs: readonly number[]; batches: readonly number[] } | undefined;
  error: FailureValue | undefined;
}

export const useSweep = create<SweepState>()(() => ({ id: undefined, running: undefined, error: undefined }));

/**
 * Numbers above 0; undefined where something else is among them. Each once, in order. Spaces, semicolons and commas
 * separate them, but a comma within a number is a decimal one, as in every field: "0,01, 0,1" are two. It separates whole
 * numbers, and those with a point.
 */
export function readNumbers(text: string, whole: boolean): number[] | undefined {
  const numbers = text
    .trim()
    .split(/\s*[;,]\s+|;|\s+/)
    .flatMap((part) => (whole || part.includes('.') ? part.split(',') : [part]))
    .map((part) => numberIn(part) ?? NaN);
  const fits = (value: number) =>
    value > 0 && Number.isFinite(value) && (!whole || Number.isSafeInteger(value));
  return numbers.every(fits) ? [...new Set(numbers)].sort((a, b) => a - b) : undefined;
}

/** The runs of a sweep as a grid. */
export interface Grid {
  lrs: number[];
  batches: number[];
  at(lr: number, batch: number): RunRecord | undefined;
  /** The one with the highest accuracy, of those that a run is judged by. */
  best: RunRecord | undefined;
}

/** @param planned what a sweep that is under way will have */
export function gridOf(
  runs: readonly RunRecord[],
  planned: { lrs: readonly number[]; batches: readonly number[] } = { lrs: [], batches: [] },
): Grid {
  const values = (of: (config: RunConfig) => number, more: readonly number[]) =>
    [...new Set([...more, ...runs.map(({ config }) => of(config))])].sort((a, b) => a - b);
  const tested = runs.flatMap((run) => {
    const best = bestEvaluation(run.evaluations);
    return best ? [{ run, accuracy: choosingAccuracy(best) }] : [];
  });
  return {
    lrs: values(({ lr }) => lr, planned.lrs),
    batches: values(({ batchSize }) => batchSize, planned.batches),
    at: (lr, batch) => runs.findLast(({ config }) => config.lr === lr && config.batchSize === batch),
    best: tested.toSorted((a, b) => b.accuracy - a.accuracy)[0]?.run,
  };
}

/**
 * Seconds that a sweep would take; undefined if no such model was trained on such images yet.
 * @param records kept runs, from whose rate it follows
 * @param images that all its runs would train on, again in every epoch
 */
export function sweepSeconds(
  records: readonly RunRecord[],
  { model, dataset }: Pick<RunConfig, 'model' | 'dataset'>,
  images: number,
): number | undefined {
  const named = JSON.stringify(model);
  const rates = records.flatMap((record) =>
    record.config.dataset === dataset && JSON.stringify(record.config.model) === named
      ? (rateOf(record) ?? [])
      : [],
  );
  const rate = rates.at(-1);
  return rate === undefined ? undefined : images / rate;
}

/** Trains all combinations. @param base every other setting */
export async function startSweep(
  base: RunConfig,
  lrs: number[],
  batches: number[],
  epochs: number,
): Promise<void> {
  const id = uniqueId();
  const cells = batches.flatMap((batchSize) => lrs.map((lr) => ({ lr, batchSize })));
  const sweep = { id, name: texts.sweep.name(lrs.length, batches.length) };
  useSweep.setState({ id, running: { id, done: 0, lrs, batches }, error: undefined });
  const isRunning = () => useSweep.getState().running?.id === id;
  for (const [done, cell] of cells.entries()) {
    if (!isRunning()) return;
    useSweep.setState({ running: { id, done, lrs, batches } });
    const config: RunConfig = { ...base, ...cell, epochs, record: uniqueId(), sweep };
    useApp.setState({ runConfig: config, runError: undefined });
    const answer = await ask((api) => api.train.restart(config));
    if (!answer.ok) {
      useSweep.setState({ running: undefined, error: answer.error });
      return;
    }
    if (!(await ended(config, isRunning))) break;
  }
  if (isRunning()) useSweep.setState({ running: undefined });
  await ask((api) => api.train.stop());
}

/** Ends the sweep; what was trained stays. */
export async function stopSweep(): Promise<void> {
  useSweep.setState({ running: undefined });
  await ask((api) => api.train.stop());
}

/**
 * Resolves when a run has done all its epochs, a rule has stopped it, or it has failed. A pause by the person does not end it.
 * @returns false if the sweep ended first, or another run took its place
 */
function ended(config: RunConfig, isRunning: () => boolean): Promise<boolean> {
  const { record } = config;
  return new Promise((resolve) => {
    const stops: (() => void)[] = [];
    const look = () => {
      const { runConfig, runState } = useApp.getState();
      const standing = runStanding({ runConfig, runState });
      const replaced = !isRunning() || runConfig?.record !== record || runState === 'stopped';
      const done = standing === 'failed' || standing === 'finished' || standing === 'stoppedEarly';
      if (!replaced && !done) return;
      for (const stop of stops) stop();
      resolve(!replaced);
    };
    stops.push(useApp.subscribe(look), useSweep.subscribe(look));
  });
}
