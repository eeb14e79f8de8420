import type { FailureValue } from '../../base/result.ts';
import { standingOf } from '../../run/standing.ts';
import type {
  Compiling,
  MatchRow,
  Rescue,
  RunConfig,
  RunState,
  SavedRunEntry,
  Trouble,
} from '../../worker/api.ts';
import { live } from '../metrics/live.ts';

export interface RunSlice {
  /** Kernels that are being compiled for the run. */
  compiling: Compiling | undefined;
  /** 0 until the first run of this page. */
  runId: number;
  runState: RunState;
  /** What the current run, or the last one, was started with. */
  runConfig: RunConfig | undefined;
  /** Why the run failed, or why the last thing asked of it was refused. */
  runError: FailureValue | undefined;
  /** The step of the checkpoint that a failed run was rolled back to. */
  lastGood: number | undefined;
  /** The network does not learn. */
  trouble: Trouble | undefined;
  /** Learning rates are being tried, or what became of them: until it is dismissed, or another run begins. */
  rescue: 'trying' | Rescue | undefined;
  /** Why the run paused by itself. */
  stopReason: string | undefined;
  /** What a run took of the weights that it started from. */
  begun: { runId: number; rows: readonly MatchRow[] } | undefined;
  /** Why the run uses other algorithms than expected. */
  runNotice: string | undefined;
  /** A run of an earlier visit that can be resumed, until another starts. */
  savedRun: SavedRunEntry | undefined;
  /** Why the current run could not be saved, or the last one cannot be resumed. */
  saveError: FailureValue | undefined;
  /** The step of the last checkpoint that was written in this visit. */
  savedStep: number | undefined;
}

export const NO_RUN: RunSlice = {
  compiling: undefined,
  runId: 0,
  runState: 'idle',
  runConfig: undefined,
  runError: undefined,
  lastGood: undefined,
  trouble: undefined,
  rescue: undefined,
  stopReason: undefined,
  begun: undefined,
  runNotice: undefined,
  savedRun: undefined,
  saveError: undefined,
  savedStep: undefined,
};

/** A run's state, and how it has ended. */
export type Standing = RunState | 'finished' | 'stoppedEarly';

/** How the current run stands. Its evaluations and its position are known before its state. */
export const runStanding = ({ runState, runConfig }: Pick<RunSlice, 'runState' | 'runConfig'>): Standing => {
  const { step, epoch, evaluations } = live;
  return standingOf({ state: runState, step, epoch, config: runConfig ?? {}, evaluations });
};

/** True once a run takes no more steps until it is resumed; its checkpoint may still be being written. */
export const runHasPaused = (state: RunState): boolean => state === 'saving' || state === 'paused';

/** True while a run holds the settings and the data set: it can resume. */
export const runIsOpen = (state: RunState): boolean =>
  runHasPaused(state) || state === 'preparing' || state === 'training' || state === 'recovering';
