/**
 * Measures libraries in turns: a round of one, a round of the next, and again, so that whatever else the machine does
 * meets all of them. And checks that they do the same work.
 */
import { cpus, loadavg } from 'node:os';
import { spreadOf, type Spread } from '../src/gpu/timing.ts';
import { BATCHES, type OptimizerName, type Round, type Task } from './lenet5/peer.ts';

/** A peer, here or in a page. */
export interface Trainee {
  title: string;
  train(steps: number): Promise<Round>;
}

export interface TurnsOptions {
  rounds: number;
  /** How long a round should last, about. */
  roundMs: number;
}

export interface Measured {
  title: string;
  stepsPerRound: number;
  /** One a round. */
  imagesPerSecond: number[];
  msPerStep: number[];
  /** Mean losses of the first and of the last steps, over all batches once. */
  firstLoss: number;
  lastLoss: number;
}

/** How far the losses of the first steps may be apart, from the same parameters on the same batches. */
const SAME_LOSS = 1e-3;

/** @throws Error if the libraries' first losses differ, or if one does not learn */
export async function measureInTurns(
  trainees: readonly Trainee[],
  { batchSize }: Task,
  { rounds, roundMs }: TurnsOptions,
): Promise<Measured[]> {
  const turns = [];
  for (const trainee of trainees) {
    // Compiles everything, and shows the first losses.
    const { losses } = await trainee.train(BATCHES);
    let steps = 1;
    for (;;) {
      const trial = await trainee.train(steps);
      losses.push(...trial.losses);
      const long = trial.ms > roundMs / 2;
      steps = Math.max(1, Math.round((steps * roundMs) / trial.ms));
      if (long) break;
    }
    turns.push({ trainee, steps, losses, ms: [] as number[] });
  }
  requireSameLosses(turns.map(({ trainee, losses }) => ({ title: trainee.title, losses })));
  for (let round = 0; round < rounds; round++) {
    for (const turn of turns) {
      const { ms, losses } = await turn.trainee.train(turn.steps);
      turn.ms.push(ms);
      turn.losses.push(...losses);
    }
  }
  return turns.map(({ trainee, steps, losses, ms }) => {
    const firstLoss = mean(losses.slice(0, BATCHES));
    const lastLoss = mean(losses.slice(-BATCHES));
    if (!(lastLoss < firstLoss)) {
      throw new Error(`${trainee.title} does not learn: its loss went from ${firstLoss} to ${lastLoss}`);
    }
    return {
      title: trainee.title,
      stepsPerRound: steps,
      msPerStep: ms.map((time) => time / steps),
      imagesPerSecond: ms.map((time) => (1000 * steps * batchSize) / time),
      firstLoss,
      lastLoss,
    };
  });
}

function requireSameLosses(trainees: readonly { title: string; losses: readonly number[] }[]): void {
  const [first, ...others] = trainees;
  for (const other of others) {
    for (let step = 0; step < BATCHES; step++) {
      const [a, b] = [first.losses[step], other.losses[step]];
      if (!(Math.abs(a - b) <= SAME_LOSS)) {
        throw new Error(
          `The losses of step ${step + 1} differ: ${a} with ${first.title}, ${b} with ${other.title}`,
        );
      }
    }
  }
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

/** What a result is worth nothing without. */
export interface Circumstances {
  adapter: string;
  /** "Chromium 140.0.7339.80", "Node 20.20.2, Dawn (webgpu 0.6.2)" */
  runtime: string;
  /** "AMD EPYC, 2 cores, load 0.3": of the minute before the benchmark began. */
  machine: string;
  /** ISO 8601. */
  date: string;
}

/** To be asked before the machine is busy with the benchmark itself. */
export function machineNow(): string {
  const cores = cpus();
  return `${cores[0].model.trim()}, ${cores.length} cores, load ${loadavg()[0].toFixed(1)}`;
}

export type Row = Circumstances & {
  bench: 'lenet5-training';
  optimizer: OptimizerName;
  batch_size: number;
  rounds: number;
} & (
    | {
        library: string;
        steps_per_round: number;
        images_per_second: Spread;
        ms_per_step: Spread;
        first_loss: number;
        last_loss: number;
      }
    | { ratio_of: string; ratio_to: string; ratio: Spread }
  );

/** A row for each library, then one for each but the first: how many times as fast the first is, round by round. */
export function rowsOf(measured: readonly Measured[], task: Task, circumstances: Circumstances): Row[] {
  const [first, ...others] = measured;
  const common = {
    bench: 'lenet5-training' as const,
    optimizer: task.optimizer,
    batch_size: task.batchSize,
    rounds: first.msPerStep.length,
    ...circumstances,
  };
  return [
    ...measured.map((one) => ({
      library: one.title,
      steps_per_round: one.stepsPerRound,
      images_per_second: rounded(spreadOf(one.imagesPerSecond)),
      ms_per_step: rounded(spreadOf(one.msPerStep)),
      first_loss: one.firstLoss,
      last_loss: one.lastLoss,
      ...common,
    })),
    ...others.map((other) => ({
      ratio_of: first.title,
      ratio_to: other.title,
      ratio: rounded(spreadOf(other.msPerStep.map((ms, round) => ms / first.msPerStep[round]))),
      ...common,
    })),
  ];
}

/** To four digits. */
function rounded({ median, p10, p90 }: Spread): Spread {
  const round = (value: number) => Number(value.toPrecision(4));
  return { median: round(median), p10: round(p10), p90: round(p90) };
}

/** The rows as a Markdown table. */
export function tableOf(rows: readonly Row[]): string {
  const spread = ({ median, p10, p90 }: Spread) => `${median} | ${p10} | ${p90}`;
  return [
    '| optimizer | batch | what | unit | median | 10 % | 90 % | rounds | steps a round | loss, first to last |',
    '| --- | --: | --- | --- | --: | --: | --: | --: | --: | --- |',
    ...rows.map((row) => {
      const [what, unit, value, steps, loss] =
        'library' in row
          ? [
              row.library,
              'images/s',
              spread(row.images_per_second),
              row.steps_per_round,
              `${row.first_loss.toFixed(4)} to ${row.last_loss.toFixed(4)}`,
            ]
          : [`${row.ratio_of} to ${row.ratio_to}`, 'times', spread(row.ratio), '', ''];
      return `| ${[row.optimizer, row.batch_size, what, unit, value, row.rounds, steps, loss].join(' | ')} |`;
    }),
  ].join('\n');
}
