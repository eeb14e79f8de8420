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
 * What steps and epochs a log tells of. Other lines, such as warnings, are left out; a step or epoch that comes twice, as after a kill,
 * replaces what came from it on.
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
      log.evaluations = log.evaluations.filter((one) => one.epoch < epoch);
      log.evaluations.push({ ...evaluationOf(values), step, epoch });
    } else if (step > 0 && values.step === step && 'loss' in values) {
      const from = log.rows.findLastIndex((row) => row.step < step) + 1;
      log.rows.length = from;
      ended = Math.min(ended, from);
      const own = { step, loss: numberOf(values.loss), imagesPerSecond: numberOf(values.images_per_second) };
      log.rows.push({ ...own, accuracy: NaN } as StepRow);
    }
  }
  return log;
}

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
