/** Whether a run learns at all: its loss against that of guessing. */

/** So many steps show it. */
const WINDOW = 30;
/** A mean over the window this much above guessing is no accident: healthy networks can start 1.5 % above it. */
const ABOVE = 1.025;
/** Below this share of guessing, the network has learnt something. */
const BELOW = 0.98;
/** A loss that falls by more than this share, from the first half of the window to the second, is on its way down. */
const FALLING = 0.01;
/** A network may take so many steps, and a whole epoch, to leave guessing; then it is stuck there. */
const PATIENCE = 400;
/** A loss above this share of guessing has not left it. */
const AT_GUESSING = 0.995;

/** A run that does not learn. */
export interface Trouble {
  /** The mean loss of the last steps. */
  loss: number;
  /** The loss of guessing. */
  guessing: number;
  /** Over how many steps. */
  steps: number;
}

/**
 * The loss of the best answer that ignores the images: the entropy of the training labels, ln(classes) where all are
 * equally frequent. Label smoothing brings it nearer to that; mixing images changes nothing, on average.
 * @param weights of the classes in the loss
 */
export function guessingLoss(
  labels: Uint8Array,
  classes: number,
  smoothing = 0,
  weights?: readonly number[],
): number {
  const counts = new Float64Array(classes);
  for (const label of labels) counts[label]++;
  const shares = counts.map((count) => (1 - smoothing) * (count / labels.length) + smoothing / classes);
  const targets = weights ? shares.map((share, c) => weights[c] * share) : shares;
  const mass = weights ? sumOf(targets) : 1;
  let cost = 0;
  for (const target of targets) if (target > 0) cost -= target * Math.log(target / mass);
  return weights ? (cost * labels.length) / sumOf(counts.map((count, c) => weights[c] * count)) : cost;
}

const sumOf = (numbers: Float64Array): number => numbers.reduce((sum, number) => sum + number, 0);

/** Follows the losses of a run's steps. */
export class LearningWatch {
  private recent: number[] = [];

  /** @param epochSteps the steps of an epoch */
  constructor(
    readonly guessing: number,
    private readonly epochSteps: number,
  ) {}

  /** The run is at another step: what was seen says nothing about what comes. */
  restart(): void {
    this.recent = [];
  }

  add(losses: readonly number[]): void {
    this.recent = [...this.recent, ...losses].slice(-WINDOW);
  }

  /** Whether the network has learnt something, as far as the last steps show. */
  get hasLearnt(): boolean {
    return this.recent.length > 0 && meanOf(this.recent) < BELOW * this.guessing;
  }

  /** What is wrong after `step` steps; undefined while nothing is, or too few steps are known. */
  trouble(step: number): Trouble | undefined {
    const { recent, guessing } = this;
    if (recent.length < WINDOW) return undefined;
    const loss = meanOf(recent);
    const [first, second] = [meanOf(recent.slice(0, WINDOW / 2)), meanOf(recent.slice(WINDOW / 2))];
    const isAbove = loss > ABOVE * guessing;
    const isStuck = loss > AT_GUESSING * guessing && step >= Math.max(PATIENCE, this.epochSteps);
    if ((!isAbove && !isStuck) || second < (1 - FALLING) * first) return undefined;
    return { loss, guessing, steps: WINDOW };
  }
}

export const meanOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
