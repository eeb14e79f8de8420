/** Resuming runs: a saved one from an earlier visit, or one that failed, from its last checkpoint. */
import type { Result } from '../base/result.ts';
import type { RunConfig } from '../worker/api.ts';
import { report } from './actions/start.ts';
import { ask } from './client.ts';
import { OPEN_RUN, useRuns } from './journal/runs-store.ts';
import { recallHere } from './state/remember.ts';
import { formOf } from './state/settings.ts';
import { useApp } from './state/store.ts';

/** Offers a run of an earlier visit. It does not resume by itself. */
export async function lookForSavedRun(): Promise<void> {
  if (useApp.getState().runId > 0) return;
  const answer = await ask((api) => api.runs.savedRun(recallHere(OPEN_RUN) ?? undefined));
  if (useApp.getState().runId > 0) return;
  // If the browser cannot store runs, that is reported when a run is saved.
  if (answer.ok) useApp.setState({ savedRun: answer.value, saveError: undefined });
  else if (answer.error.code === 'bad-file') useApp.setState({ saveError: answer.error });
}

/** A run that another tab opens is not offered here; when that tab is closed, it is. */
useRuns.subscribe(({ records }, { records: before }) => {
  const elsewhere = (runs: typeof records) =>
    runs?.flatMap(({ id, live }) => (live === 'elsewhere' ? [id] : [])).join();
  if (before && elsewhere(records) !== elsewhere(before)) void lookForSavedRun();
});

/** Resumes a kept run. Returns whether it resumes. If not, what can be resumed is offered. */
export async function resumeRun(id: string): Promise<boolean> {
  const resumes = await resume(() => ask((api) => api.train.resumeRun(id)));
  if (!resumes) await lookForSavedRun();
  return resumes;
}

/** Rolls back to the last checkpoint and resumes with a lower learning rate. */
export const rollBack = (lr: number): Promise<boolean> => resume(() => ask((api) => api.train.rollBack(lr)));

/** Does not offer the run again: its checkpoint goes, its curves and weights stay. */
export async function discardSavedRun(id: string): Promise<void> {
  const answer = await ask((api) => api.runs.freeRuns([id]));
  if (answer.ok) useApp.setState({ savedRun: undefined, saveError: undefined });
  else useApp.setState({ saveError: answer.error });
}

/** Returns whether the run resumes. */
async function resume(how: () => Promise<Result<RunConfig>>): Promise<boolean> {
  useApp.setState({ runError: undefined });
  const answer = await how();
  if (!answer.ok) {
    report(answer);
    return false;
  }
  useApp.setState({ runConfig: answer.value });
  useApp.getState().change(formOf(answer.value));
  return true;
}
