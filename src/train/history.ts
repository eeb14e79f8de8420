/** What a run remembers of its way: what a report of the epoch under way and the rules that end a run need. */
export interface History {
  /** Of the epoch under way: the sum of its steps' losses, and how many they are. */
  epoch: { loss: number; steps: number };
  /** Of the last step. */
  loss?: number;
  /** One an epoch, in order. */
  evaluations: readonly EpochReport[];
  /** The step of an epoch's end whose evaluation was cut short: it is owed. */
  due?: number;
}

/** What a whole epoch came to. */
export interface EpochReport {
  step: number;
  epoch: number;
  /** Mean over the epoch's steps, each before it. */
  trainLoss: number;
  /** On the test set: mean loss, and accuracy from 0 to 1. */
  loss: number;
  accuracy: number;
}

export const newHistory = (): History => ({ epoch: { loss: 0, steps: 0 }, evaluations: [] });
