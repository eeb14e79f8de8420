/** What is known of the runs here, by id. A deleted one stays for a minute, unseen. */
import { Failure } from '../../base/result.ts';
import type { RunRecord, RunsEvent, StoredRun } from '../api.ts';

/** How long a deleted run can be restored. */
export const UNDO_MS = 60_000;

export class RunIndex {
  private readonly records = new Map<string, RunRecord>();

  constructor(private readonly send: (event: RunsEvent) => void) {}

  /** Those that are not deleted, the first one first. */
  get visible(): RunRecord[] {
    return this.all.filter(isVisible).sort((a, b) => a.number - b.number);
  }

  get all(): RunRecord[] {
    return [...this.records.values()];
  }

  /** The number of the next run. */
  get nextNumber(): number {
    return 1 + Math.max(0, ...this.all.map(({ number }) => number));
  }

  /** @throws Failure `not-found` if it is deleted, too */
  get(id: string): RunRecord {
    const record = this.find(id);
    if (record && isVisible(record)) return record;
    throw new Failure('not-found', 'This run is no longer saved.', 'Select Train to start a new run.');
  }

  find(id: string): RunRecord | undefined {
    return this.records.get(id);
  }

  /** Without telling the page. */
  load(record: RunRecord): void {
    this.records.set(record.id, record);
  }

  remove(id: string): void {
    this.records.delete(id);
  }

  put(record: RunRecord): void {
    this.load(record);
    if (isVisible(record)) this.send({ type: 'run', record });
  }

  /** Adds or replaces a record. How large the run is, and where it is open, stays. */
  set(record: StoredRun): void {
    const { bytes = 0, live = null } = this.find(record.id) ?? {};
    this.put({ ...record, bytes, live });
  }

  /** Nothing if there is no such run. */
  update(id: string, change: Partial<RunRecord>): void {
    const before = this.find(id);
    if (before) this.put({ ...before, ...change });
  }

  /** Tells the page that runs were deleted. */
  sendGone(ids: readonly string[]): void {
    this.send({ type: 'runsGone', ids: [...ids] });
  }
}

const isVisible = ({ deleted }: StoredRun): boolean => deleted === undefined;

/** Whether a run was deleted so long ago that it cannot be restored. */
export const isOver = ({ deleted }: StoredRun): boolean =>
  deleted !== undefined && Date.now() - deleted >= UNDO_MS;
