/** What one schedule works from. Steps are training steps, not epochs. */
export interface ScheduleSettings {
  /** Steps of the run, warm-up left out: 1 or more. */
  steps: number;
  /** step: how many steps one learning rate lasts. */
  stepSize: number;
  /** step: what the learning rate is multiplied by then. */
  gamma: number;
  /** cosine: the learning rate in the end, as PyTorch's eta_min. */
  minLr: number;
  /** one-cycle: the part of the run in which the learning rate rises. */
  pctStart: number;
  /** one-cycle: the largest rate over the first, and the first over the last. */
  divFactor: number;
  finalDivFactor: number;
}

/** How the learning rate changes over a run: a function of the step alone, so that a run can go on from any step. */
export interface Schedule {
  readonly name: string;
  /**
   * The learning rate of step `t` from 0 to steps - 1, by PyTorch's formula.
   * @param lr the optimiser's learning rate: the first one, or for one-cycle the largest
   */
  rate(t: number, lr: number, settings: ScheduleSettings): number;
}
