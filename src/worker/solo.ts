/** What needs the GPU to itself, one thing at a time. A run that trains rests meanwhile, and goes on afterwards. */
import { Failure } from '../base/result.ts';

export interface SoloOptions {
  /** Lets a run that trains rest; answers whether there was one. */
  rest(): Promise<boolean>;
  /** Lets it train on, if it still can. */
  goOn(): Promise<void>;
}

export class Solo {
  private current: AbortController | undefined;

  constructor(private readonly options: SoloOptions) {}

  /** @throws Failure `busy` while something is under way */
  requireIdle(): void {
    if (!this.current) return;
    throw new Failure(
      'busy',
      'The GPU is being measured, and whatever else it did meanwhile would falsify that.',
      'Wait until it is done, or stop it on the Profile or Doctor screen.',
    );
  }

  /**
   * @param work gets what to ask now and then: false means that it should end, by a Failure `cancelled`
   * @throws Failure `busy` while something else is under way
   */
  async run<T>(work: (goOn: () => boolean) => Promise<T>): Promise<T> {
    this.requireIdle();
    const abort = new AbortController();
    this.current = abort;
    let rested = false;
    try {
      rested = await this.options.rest();
      return await work(() => !abort.signal.aborted);
    } finally {
      this.current = undefined;
      if (rested) await this.options.goOn();
    }
  }

  cancel(): void {
    this.current?.abort();
  }
}
