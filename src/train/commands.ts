/** The pending commands of a run. Plain state: it waits for nothing and starts nothing. */
export class Commands {
  private requested: 'train' | 'pause' | 'end' = 'pause';
  /** The step to pause at. Ahead of the run if single steps were requested, or steps were lost with a device. */
  private pauseAt = 0;
  private restarting = false;
  /** A caller waits for the pause: an evaluation is cut short. */
  private isUrgent = false;

  /** @param lastStep the step where the run pauses by itself */
  constructor(private lastStep = Infinity) {}

  train(): void {
    this.requested = 'train';
    this.isUrgent = false;
  }

  /** @param step the number of submitted steps: the run pauses after them */
  pause(step: number): void {
    if (this.requested !== 'train') return;
    this.requested = 'pause';
    this.pauseHere(step);
  }

  /** Pauses as soon as possible. */
  pauseNow(step: number): void {
    this.pause(step);
    this.isUrgent = true;
  }

  /** The run pauses by itself at another step. */
  setLastStep(step = Infinity): void {
    this.lastStep = step;
  }

  /** One more step than requested so far, then a pause. */
  stepOnce(step: number): void {
    this.pause(step);
    this.pauseAt++;
    this.isUrgent = false;
  }

  /** Continue from step 0, where the run is by now. */
  restart(): void {
    this.restarting = true;
    this.train();
  }

  end(): void {
    this.requested = 'end';
  }

  /** Its parameters are those of step 0. */
  restarted(): void {
    this.restarting = false;
  }

  /** The run failed: it does nothing until the next command. */
  drop(): void {
    this.requested = 'pause';
  }

  /** The run stays where it is. */
  pauseHere(step: number): void {
    this.pauseAt = step;
  }

  get isEnded(): boolean {
    return this.requested === 'end';
  }

  /** True until a pause is requested. */
  get isTraining(): boolean {
    return this.requested === 'train';
  }

  get isRestart(): boolean {
    return this.restarting;
  }

  /** The step after which the run pauses. */
  get until(): number {
    return this.isTraining ? this.lastStep : this.pauseAt;
  }

  /** True while there is something to do for a run that has done `step` steps. */
  hasWork(step: number): boolean {
    return !this.isEnded && (this.restarting || step < this.until);
  }

  /** True while no caller waits for an evaluation to end. */
  get letsEvaluate(): boolean {
    return !this.isUrgent && !this.isEnded;
  }
}
