/** Runs that go on: one of an earlier visit, or one that failed from its last good state. */
import { NO_AUGMENTATION } from '../base/augmentation.ts';
import type { Result } from '../base/result.ts';
import type { RunConfig } from '../worker/api.ts';
import { report } from './actions/start.ts';
import { ask } from './client.ts';
import type { Settings } from './state/settings.ts';
import { useApp } from './state/store.ts';

/** Goes on with the run of an earlier visit. */
export const resumeRun = (): Promise<void> => goOn(() => ask((api) => api.resumeRun()));

/** Goes on from the last good state, slower. */
export const goBack = (lr: number): Promise<void> => goOn(() => ask((api) => api.goBack(lr)));

export async function forgetRun(): Promise<void> {
  const answer = await ask((api) => api.forgetRun());
  const { setRun } = useApp.getState();
  if (answer.ok) setRun({ keptRun: undefined, keepError: undefined });
  else setRun({ keepError: answer.error });
}

async function goOn(how: () => Promise<Result<RunConfig>>): Promise<void> {
  const { setRun, change } = useApp.getState();
  setRun({ runError: undefined });
  const answer = await how();
  if (!answer.ok) {
    report(answer);
    return;
  }
  setRun({ runConfig: answer.value });
  change(settingsOf(answer.value));
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
    ...{ dataset, nesterov, optimizer: name, lr: String(lr) },
    ...{ batchSize: String(batchSize), seed: String(seed), weightDecay: String(weightDecay) },
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
