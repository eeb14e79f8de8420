/** Runs that go on: one of an earlier visit, or one that failed from its last good state. */
import { NO_AUGMENTATION } from '../base/augmentation.ts';
import type { Result } from '../base/result.ts';
import type { RunConfig } from '../worker/api.ts';
import { report } from './actions/start.ts';
import { ask } from './client.ts';
import { recallHere, rememberHere } from './state/remember.ts';
import type { Settings } from './state/settings.ts';
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
  change(settingsOf(answer.value));
  return true;
}

/** The settings panel shows what the run goes by. */
export function settingsOf({
  model,
  dataset,
  batchSize,
  seed,
  optimizer,
  augmentation,
  stops,
  ...more
}: RunConfig): Partial<Settings> {
  const { name, lr, momentum, nesterov, weightDecay } = optimizer;
  const varied = Object.entries(augmentation ?? NO_AUGMENTATION);
  return {
    ...(typeof model === 'string' ? { model } : {}),
    dataset,
    nesterov,
    optimizer: name,
    lr: String(lr),
    batchSize: String(batchSize),
    seed: String(seed),
    weightDecay: String(weightDecay),
    ...(momentum > 0 ? { momentum: String(momentum) } : {}),
    stopAccuracy: stops?.accuracy === undefined ? '' : String(Number((100 * stops.accuracy).toPrecision(12))),
    patience: String(stops?.patience ?? ''),
    epochs: String(more.epochs ?? ''),
    schedule: more.schedule?.name ?? 'constant',
    warmup: String(more.schedule?.warmupEpochs ?? ''),
    labelSmoothing: String(more.labelSmoothing ?? 0),
    clipNorm: String(more.clipNorm ?? ''),
    ema: String(more.ema ?? ''),
    precision: more.precision ?? 'float32',
    augmentation: Object.fromEntries(varied.map(([kind, value]) => [kind, String(value)])),
  };
}
