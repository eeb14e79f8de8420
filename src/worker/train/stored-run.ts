/** Reads runs from the browser's storage, also those of version 0.1. */
import { Failure } from '../../base/result.ts';
import { withStoredSettings } from '../../run/settings/stored.ts';
import { asCheckpoint } from '../../train/stored-checkpoint.ts';
import type { RunConfig } from '../api.ts';
import type { SavedRun } from './saved-runs.ts';

/** @throws Failure `bad-file` */
export function asSavedRun(name: string, value: unknown): SavedRun {
  const run = asCheckpoint(name, value) as SavedRun;
  if (typeof run.sha256 !== 'string' || typeof run.run !== 'object') {
    throw new Failure('bad-file', `${name}: expected a run saved by this page`);
  }
  return { ...run, run: withStoredSettings<RunConfig>(`${name}: the run`, run.run) };
}
