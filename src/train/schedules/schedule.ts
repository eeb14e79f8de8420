/** The inputs of a schedule. Steps are training steps, not epochs. */
export interface ScheduleSettings {
  /** Steps of the run without warm-up: 1 or more. */
  steps: number;
  /** step: the number of steps between changes. */
  stepSize: number;
  /** step: the factor on the learning rate at each change. */
  gamma: number;
  /** linear and cosine: the final learning rate, as PyTorch's eta_min. */
  minLr: number;
  /** one-cycle: the share of the run in which the learning rate rises. */
  pctStart: number;
  /** one-cycle: the largest rate over the first, and the first over the last. */
  divFactor: number;
  finalDivFactor: number;
}

/** How the learning rate changes over a run: a function of the step alone, so a run can resume at any step. */
export interface Schedule {
  readonly name: string;
  /**
   * The learning rate of step `t` from 0 to steps - 1, by PyTorch's formula.
   * @param lr the optimiser's learning rate: the first one, or for one-cycle the largest
   */
  rate(t: number, lr: number, settings: ScheduleSettings): number;
}
