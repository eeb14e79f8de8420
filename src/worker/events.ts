/** What the worker streams to the page, over a port of its own. */
import type { WorkerEvent } from './api.ts';

/** At most this often steps are told of, however fast they come. */
const STEPS_EVERY_MS = 50;

/** Where events go: a MessagePort, or a list in tests. */
export interface EventTarget {
  postMessage(event: WorkerEvent, transfer: Transferable[]): void;
}

/** One training step, in the order of STEP_COLUMNS. */
export type StepRow = readonly [
  step: number,
  loss: number,
  accuracy: number,
  imagesPerSecond: number,
  learningRate: number,
  gradientNorm: number,
];

/**
 * Sends events in the order they come. Steps wait a moment and go together; any other event lets them go first. Before
 * a target is set nothing is kept, since nobody has asked for anything.
 */
export class EventSender {
  private target: EventTarget | undefined;
  private rows: number[] = [];
  private runId = 0;
  private sentAt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  listen(target: EventTarget): void {
    this.target = target;
  }

  send(event: WorkerEvent, transfer: Transferable[] = []): void {
    this.flush();
    this.target?.postMessage(event, transfer);
  }

  steps(runId: number, rows: readonly StepRow[]): void {
    if (runId !== this.runId) this.flush();
    this.runId = runId;
    for (const row of rows) this.rows.push(...row);
    const wait = this.sentAt + STEPS_EVERY_MS - performance.now();
    if (wait <= 0) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), wait);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.rows.length === 0) return;
    const rows = Float64Array.from(this.rows);
    this.rows = [];
    this.sentAt = performance.now();
    this.target?.postMessage({ type: 'steps', runId: this.runId, rows }, [rows.buffer]);
  }
}
