/** The checkpoints of the page's runs. */
import { Failure } from '../../../base/result.ts';
import { withStoredSettings } from '../../../run/settings/stored.ts';
import type { Checkpoint } from '../../../train/checkpoint.ts';
import { asCheckpoint } from '../../../train/stored-checkpoint.ts';
import type { RunConfig } from '../../api.ts';

/** The contents of a checkpoint file. */
export interface RunCheckpoint extends Checkpoint {
  /** What the page started the run with. */
  run: RunConfig;
  /** Of the data set; see `datasetChecksum`. */
  sha256: string;
  /** When it was saved, in milliseconds as Date.now() returns them. */
  at: number;
}

/** @throws Failure `bad-file` */
export function asRunCheckpoint(name: string, value: unknown): RunCheckpoint {
  const run = asCheckpoint(name, value) as RunCheckpoint;
  if (typeof run.sha256 !== 'string' || typeof run.run !== 'object' || run.run === null) {
    throw new Failure('bad-file', `${name}: expected a run saved by this page`);
  }
  return { ...run, run: withStoredSettings<RunConfig>(`${name}: the run`, run.run) };
}
