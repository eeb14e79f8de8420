/** The JSON lines that training prints, on the command line and in exported PyTorch projects, read back. */
import type { Evaluation, StepRow } from './rows.ts';
import { evaluationMetrics, type EvaluationKey } from './table.ts';

export interface TrainingLog {
  rows: StepRow[];
  evaluations: Evaluation[];
  /** Images per step, if the log has rates and times. */
  batchSize: number | undefined;
}

type Line = Partial<Record<string, unknown>>;

/**
 * The steps and epochs of a log. Other lines, such as warnings, are left out; a step that comes twice, as after a kill, replaces what
 * came from it on.
 */
export function readLog(text: string): TrainingLog {
  const log: TrainingLog = { rows: [], evaluations: [], batchSize: undefined };
  /** Rows of epochs that have ended. */
  let ended = 0;
  for (const line of text.split('\n')) {
    const values = parsed(line);
    if (!values) continue;
    const { epoch, step = log.rows.at(-1)?.step ?? 0 } = values;
    if (!isCount(step)) continue;
    if (isCount(epoch) && 'test_loss' in values) {
      rate(log, values, ended);
      ended = log.rows.length;
      cut(log.evaluations, (one) => one.epoch < epoch);
      log.evaluations.push({ ...evaluationOf(values), step, epoch });
    } else if (step > 0 && values.step === step && 'loss' in values) {
      cut(log.rows, (row) => row.step < step);
      cut(log.evaluations, (one) => one.step < step);
      ended = Math.min(ended, log.rows.length);
      const own = { step, loss: numberOf(values.loss), imagesPerSecond: numberOf(values.images_per_second) };
      log.rows.push({ ...own, accuracy: NaN } as StepRow);
    }
  }
  return log;
}

/** Ends a list after the last of what stays. */
const cut = <T>(list: T[], stays: (one: T) => boolean): void => {
  list.length = list.findLastIndex(stays) + 1;
};

/** Python writes NaN and Infinity, which JSON does not have. */
function parsed(line: string): Line | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line.replaceAll(/-?\b(?:NaN|Infinity)\b/g, 'null')) as Line;
  } catch {
    return undefined;
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : NaN);

const evaluationOf = (values: Line) =>
  Object.fromEntries(
    evaluationMetrics.flatMap(({ key, json }) =>
      json !== undefined && json in values ? [[key, numberOf(values[json])]] : [],
    ),
  ) as Record<EvaluationKey, number>;

/** The speed of an epoch's steps, which projects print with the epoch. */
function rate(log: TrainingLog, { images_per_second, seconds }: Line, from: number): void {
  const rows = log.rows.slice(from);
  const imagesPerSecond = numberOf(images_per_second);
  if (rows.length === 0 || !(imagesPerSecond > 0)) return;
  for (const row of rows) row.imagesPerSecond = imagesPerSecond;
  log.batchSize ??= Math.round((imagesPerSecond * numberOf(seconds)) / rows.length) || undefined;
}
