/** Measures training in turns, and checks that the libraries do the same work. */
import type { Spread } from '../../src/gpu/timing.ts';
import { markdown, ratioOf, roundedSpread, type Circumstances } from '../rows.ts';
import { makeReady, takeTurns, type Contender, type TurnsOptions } from '../turns.ts';
import { BATCHES, type OptimizerName, type Round, type Task } from './peer.ts';

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
export async function measureTraining(
  contenders: readonly Contender<Round>[],
  { batchSize }: Task,
  { rounds, roundMs }: TurnsOptions,
): Promise<Measured[]> {
  const ready = [];
  // The first steps show the first losses.
  for (const contender of contenders) ready.push(await makeReady(contender, BATCHES, roundMs));
  requireSameLosses(
    ready.map(({ contender, trials }) => ({ title: contender.title, losses: lossesOf(trials) })),
  );
  const turns = await takeTurns(ready, rounds);
  return ready.map(({ contender: { title }, repetitions, trials }, i) => {
    const losses = lossesOf([...trials, ...turns[i]]);
    const firstLoss = mean(losses.slice(0, BATCHES));
    const lastLoss = mean(losses.slice(-BATCHES));
    if (!(lastLoss < firstLoss)) {
      throw new Error(`${title} does not learn: its loss went from ${firstLoss} to ${lastLoss}`);
    }
    return {
      title,
      stepsPerRound: repetitions,
      msPerStep: turns[i].map(({ ms }) => ms / repetitions),
      imagesPerSecond: turns[i].map(({ ms }) => (1000 * repetitions * batchSize) / ms),
      firstLoss,
      lastLoss,
    };
  });
}

const lossesOf = (rounds: readonly Round[]): number[] => rounds.flatMap(({ losses }) => losses);

function requireSameLosses(peers: readonly { title: string; losses: readonly number[] }[]): void {
  const [first, ...others] = peers;
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
      images_per_second: roundedSpread(one.imagesPerSecond),
      ms_per_step: roundedSpread(one.msPerStep),
      first_loss: one.firstLoss,
      last_loss: one.lastLoss,
      ...common,
    })),
    ...others.map((other) => ({
      ratio_of: first.title,
      ratio_to: other.title,
      ratio: ratioOf(other.msPerStep, first.msPerStep),
      ...common,
    })),
  ];
}

const COLUMNS = [
  ...['optimizer', 'batch:', 'what', 'unit', 'median:', '10 %:', '90 %:'],
  ...['rounds:', 'steps a round:', 'loss, first to last'],
];

/** The rows as a Markdown table. */
export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map((row) => {
    const task = [row.optimizer, row.batch_size];
    if ('library' in row) {
      const { library, images_per_second: rate } = row;
      const loss = `${row.first_loss.toFixed(4)} to ${row.last_loss.toFixed(4)}`;
      return [
        ...[...task, library, 'images/s', rate.median, rate.p10, rate.p90],
        ...[row.rounds, row.steps_per_round, loss],
      ];
    }
    const { median, p10, p90 } = row.ratio;
    const what = `${row.ratio_of} to ${row.ratio_to}`;
    return [...task, what, 'times', median, p10, p90, row.rounds, '', ''];
  });
  return markdown(COLUMNS, cells);
}
