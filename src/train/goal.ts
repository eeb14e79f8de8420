/** What is wanted of a run: that it trains on, rests at a step, or is done. */
export class Goal {
  private wish: 'train' | 'rest' | 'end' = 'rest';
  /** The step to rest at. Beyond where the run is if single steps were asked for, or steps were lost with a device. */
  private until = 0;
  private again = false;
  /** Whoever waits wants rest at once: an evaluation is cut short. */
  private hurried = false;

  /**
   * @param run its steps done
   * @param config `lastStep` is where it rests by itself
   */
  constructor(
    private readonly run: { readonly step: number },
    private readonly config: { readonly lastStep?: number },
  ) {}

  train(): void {
    this.wish = 'train';
    this.hurried = false;
  }

  /** Wants rest after the steps that were submitted. */
  rest(): void {
    if (this.wish !== 'train') return;
    this.wish = 'rest';
    this.settle();
  }

  /** Wants rest, and as soon as can be. */
  hurry(): void {
    this.rest();
    this.hurried = true;
  }

  /** Wants one more step than so far, then rest. */
  stepOnce(): void {
    this.rest();
    this.until++;
    this.hurried = false;
  }

  /** Wants the run at step 0 again, and on. */
  restart(): void {
    this.again = true;
    this.train();
  }

  /** The run is at step 0 again. */
  restarted(): void {
    this.again = false;
  }

  /** The run failed: nothing is wanted until somebody asks. */
  halt(): void {
    this.wish = 'rest';
  }

  /** Where the run is now is where it was to rest. */
  settle(): void {
    this.until = this.again ? 0 : this.run.step;
  }

  finish(): void {
    this.wish = 'end';
  }

  get isEnded(): boolean {
    return this.wish === 'end';
  }

  /** True while nobody has asked for rest. */
  get isTraining(): boolean {
    return this.wish === 'train';
  }

  get isRestart(): boolean {
    return this.again;
  }

  /** The step after which the run rests. */
  get end(): number {
    return this.isTraining ? (this.config.lastStep ?? Infinity) : this.until;
  }

  /** True while there is something to do. */
  get isOpen(): boolean {
    return !this.isEnded && (this.again || this.run.step < this.end);
  }

  /** True while there are steps to train from where the run is. */
  get goesOn(): boolean {
    return this.isOpen && !this.again;
  }

  /** True while nobody waits for an evaluation to end. */
  get isPatient(): boolean {
    return !this.hurried && !this.again && !this.isEnded;
  }
}
