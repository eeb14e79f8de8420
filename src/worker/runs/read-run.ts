/** A run as its folder has it. */
import { lazily } from '../../base/lazily.ts';
import type { RunFolder } from '../../storage/run-folder.ts';
import type { RunRecord, StoredRun } from '../api.ts';

const checking = lazily(() => import('./record.ts'));

/** A run that was training when its tab was closed is paused. */
export const pausedUnlessLive = <T extends StoredRun>(record: T, live: RunRecord['live']): T =>
  live === null && ['preparing', 'training', 'saving', 'recovering'].includes(record.state)
    ? { ...record, state: 'paused' }
    : record;

/** What is written of a record. */
export function storedOf(record: StoredRun): StoredRun {
  const { bytes: _bytes, live: _live, ...stored } = record as RunRecord;
  return stored;
}

/**
 * A run's record and size; undefined if there is none. Of the checkpoint it says what the file says: a tab may have been
 * closed between its write and that of the record.
 * @throws Failure `bad-file`, `storage`
 */
export async function readRun(folder: RunFolder): Promise<(StoredRun & { bytes: number }) | undefined> {
  const found = await folder.readRecord();
  if (found === undefined) return undefined;
  const { asStoredRun } = await checking();
  const record = asStoredRun(`the run ${nameIn(found)}`, found);
  const bytes = await folder.size();
  const at = await folder.checkpointAt();
  if (at === null) return { ...record, bytes };
  const { checkpoint: _, ...rest } = record;
  if (at === undefined) return { ...rest, bytes };
  const step = Math.max(record.step, at.step);
  const epoch = Math.max(record.epoch, at.epoch);
  return { ...rest, bytes, step, epoch, checkpoint: { step: at.step } };
}

const nameIn = (value: unknown): string =>
  String((value as { name?: unknown } | null)?.name ?? '').slice(0, 80);
