/** Runs that go on: one of an earlier visit, or one that failed from its last good state. */
import type { Result } from '../base/result.ts';
import type { RunConfig } from '../worker/api.ts';
import { report } from './actions/start.ts';
import { ask } from './client.ts';
import { recallHere, rememberHere } from './state/remember.ts';
import { formOf } from './state/settings.ts';
import { useApp } from './state/store.ts';

/** What this tab's run is kept as. */
const KEPT = 'kept-run';

/** A reload finds this tab's run again, whatever other tabs train. */
export function noteKept(config: RunConfig | undefined): void {
  if (config?.record !== undefined) rememberHere(KEPT, config.record);
}

/** A run of an earlier visit is offered; it starts only when asked. */
export async function lookForKeptRun(): Promise<void> {
  const answer = await ask((api) => api.keptRun(recallHere(KEPT) ?? undefined));
  const app = useApp.getState();
  if (app.runId > 0) return;
  // A browser without a place for runs says so when one is to be kept.
  if (answer.ok) app.setRun({ keptRun: answer.value, keepError: undefined });
  else if (answer.error.code === 'bad-file') app.setRun({ keepError: answer.error });
}

/** Goes on with the run of an earlier visit. Where that cannot be, what else there is is offered. */
export async function resumeRun(id: string): Promise<void> {
  if (!(await goOn(() => ask((api) => api.resumeRun(id))))) await lookForKeptRun();
}

/** Goes on from the last good state, slower. */
export const rollBack = (lr: number): Promise<boolean> => goOn(() => ask((api) => api.rollBack(lr)));

export async function forgetRun(id: string): Promise<void> {
  const answer = await ask((api) => api.forgetRun(id));
  const { setRun } = useApp.getState();
  if (answer.ok) setRun({ keptRun: undefined, keepError: undefined });
  else setRun({ keepError: answer.error });
}

/** Answers whether it does. */
async function goOn(how: () => Promise<Result<RunConfig>>): Promise<boolean> {
  const { setRun, change } = useApp.getState();
  setRun({ runError: undefined });
  const answer = await how();
  if (!answer.ok) {
    report(answer);
    return false;
  }
  setRun({ runConfig: answer.value });
  change(formOf(answer.value));
  return true;
}
