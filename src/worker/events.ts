/** The worker's stream of events to the page, over a separate port. */
import { columnsOf, packRows, type StepRow } from '../run/metrics/rows.ts';
import type { WorkerEvent } from './api.ts';

/** Steps are sent at most this often. */
const STEPS_EVERY_MS = 50;

/** Where events go: a MessagePort, or a list in tests. */
export interface EventTarget {
  postMessage(event: WorkerEvent, transfer: Transferable[]): void;
}

/**
 * Sends events in order. Steps are delayed briefly and sent together; any other event sends them first. Events before
 * `listen` are dropped.
 */
export class EventSender {
  private target: EventTarget | undefined;
  private rows: StepRow[] = [];
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
    this.rows.push(...rows);
    const wait = this.sentAt + STEPS_EVERY_MS - performance.now();
    if (wait <= 0) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), wait);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.rows.length === 0) return;
    const columns = columnsOf(this.rows[0]);
    const rows = packRows(this.rows, columns);
    this.rows = [];
    this.sentAt = performance.now();
    this.target?.postMessage({ type: 'steps', runId: this.runId, columns, rows }, [rows.buffer]);
  }
}
