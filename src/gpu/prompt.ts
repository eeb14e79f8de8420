/**
 * Firefox looks for finished work every 100 ms, and at each submission; until bug 1870699 is mended, empty ones make it
 * look: https://bugzilla.mozilla.org/show_bug.cgi?id=1870699
 */
const LOOKS_SELDOM = /Firefox\//.test(globalThis.navigator?.userAgent ?? '');

const SUBMIT_EVERY_MS = 1;

/** Makes what a queue finishes known soon after it is finished. */
export class PromptQueue {
  private waiting = 0;
  private channel?: MessageChannel;

  constructor(
    private readonly queue: Pick<GPUQueue, 'submit'>,
    private readonly looksSeldom = LOOKS_SELDOM,
  ) {}

  /** The same promise; it is settled soon after the work that it waits for. */
  async soon<T>(finished: Promise<T>): Promise<T> {
    if (!this.looksSeldom) return finished;
    if (this.waiting++ === 0) this.start();
    try {
      return await finished;
    } finally {
      if (--this.waiting === 0) this.channel?.port1.close();
    }
  }

  private start(): void {
    const { port1, port2 } = (this.channel = new MessageChannel());
    // A timer that a timer sets waits for at least 4 ms; one that a message sets does not.
    const later = () => setTimeout(() => port2.postMessage(undefined), SUBMIT_EVERY_MS);
    port1.addEventListener('message', () => {
      this.queue.submit([]);
      later();
    });
    port1.start();
    later();
  }
}
