/**
 * Measures libraries in turns: a round of one, a round of the next, and again, so that whatever else the machine does
 * meets all of them.
 */

/** What a library did in one go. */
export interface Timed {
  /** Milliseconds from before the first repetition was issued until the GPU had nothing left to do. */
  ms: number;
}

/** A library at the work that is measured, here or in a page. */
export interface Contender<R extends Timed> {
  title: string;
  run(repetitions: number): Promise<R>;
}

export interface TurnsOptions {
  rounds: number;
  /** How long a round should last, about. */
  roundMs: number;
}

export interface Ready<R extends Timed> {
  contender: Contender<R>;
  /** Of a round. */
  repetitions: number;
  /** What was run to get there. */
  trials: R[];
}

/**
 * Compiles everything, and finds out how many repetitions fill a round.
 * @param first repetitions that do not count
 */
export async function makeReady<R extends Timed>(
  contender: Contender<R>,
  first: number,
  roundMs: number,
): Promise<Ready<R>> {
  const trials = [await contender.run(first)];
  let repetitions = 1;
  for (;;) {
    const trial = await contender.run(repetitions);
    trials.push(trial);
    const long = trial.ms > roundMs / 2;
    repetitions = Math.max(1, Math.round((repetitions * roundMs) / trial.ms));
    if (long) return { contender, repetitions, trials };
  }
}

/** The rounds of each, in the order given. */
export async function takeTurns<R extends Timed>(
  contenders: readonly Ready<R>[],
  rounds: number,
): Promise<R[][]> {
  const turns = contenders.map(() => [] as R[]);
  for (let round = 0; round < rounds; round++) {
    for (const [i, { contender, repetitions }] of contenders.entries()) {
      turns[i].push(await contender.run(repetitions));
    }
  }
  return turns;
}
