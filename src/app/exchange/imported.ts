/** What to do with a network that was read. Each keeps it among the runs first. */
import { fail, ok, type Result } from '../../base/result.ts';
import type { NetworkReport } from '../../worker/api.ts';
import { ask } from '../client.ts';
import type { RunRecord } from '../journal/record.ts';
import { loadRuns, useRuns } from '../journal/runs-store.ts';
import { usePredict } from '../state/predict-store.ts';
import { go, hrefOf } from '../route.ts';
import { exchange as texts } from '../messages/en/exchange.tsx';

async function kept({ id: read }: Pick<NetworkReport, 'id'>): Promise<Result<RunRecord>> {
  const id = await ask((api) => api.exchange.keepNetwork(read));
  if (!id.ok) return id;
  await loadRuns();
  const record = useRuns.getState().records?.find((one) => one.id === id.value);
  return record ? ok(record) : fail({ code: 'not-found', message: texts.notSaved });
}

/** Prepares a run that starts from its weights, in Train. */
export async function trainOn(network: NetworkReport): Promise<Result<void>> {
  const record = await kept(network);
  if (!record.ok) return record;
  const { forkRun } = await import('../screens/runs/manage.ts');
  return forkRun(record.value);
}

/** Opens it in Build and chooses it in Train. The next run starts from its weights, as far as they still fit. */
export async function openInBuild(network: NetworkReport): Promise<Result<void>> {
  const record = await kept(network);
  if (!record.ok) return record;
  const start = await ask((api) => api.runs.holdKept(record.value.id));
  if (!start.ok) return start;
  const [{ takeSettings }, { replaceModel }] = await Promise.all([
    import('../screens/runs/manage.ts'),
    import('../screens/builder/build-store.ts'),
  ]);
  takeSettings(record.value);
  useRuns.setState({ fork: start.value });
  replaceModel(network.model, texts.imported(network.model.title));
  go(hrefOf('build'));
  return ok(undefined);
}

/** Predicts a test set or own images with it, in Inspect. */
export async function predictWith(network: NetworkReport): Promise<Result<void>> {
  const record = await kept(network);
  if (!record.ok) return record;
  usePredict.setState({ chosen: record.value.id });
  go(hrefOf('inspect', 'predict'));
  return ok(undefined);
}
