/** Actions on kept runs. */
import { create } from 'zustand';
import { fail, ok, type FailureValue, type Result } from '../../../base/result.ts';
import type { RunAbout } from '../../../worker/api.ts';
import { ask } from '../../client.ts';
import { download } from '../../download.ts';
import { bytesOf } from '../../files.ts';
import type { RunRecord } from '../../journal/record.ts';
import { useRuns } from '../../journal/runs-store.ts';
import { go, hrefOf, note } from '../../route.ts';
import { OWN_MODEL } from '../../state/own-model.ts';
import { formOf } from '../../state/settings.ts';
import { useApp } from '../../state/store.ts';

/** Ids of the runs that are selected, to compare, export or delete. */
export const usePicked = create<{ ids: readonly string[] }>()(() => ({ ids: [] }));

export const changeRun = (id: string, about: RunAbout): Promise<Result<void>> =>
  ask((api) => api.runs.changeRun(id, about));

interface Deletion {
  /** The runs that were deleted last, and can be brought back for a minute. */
  deleted: readonly RunRecord[];
  error: FailureValue | undefined;
}

export const useDeletion = create<Deletion>()(() => ({ deleted: [], error: undefined }));

/** Deletes runs; none is open then. */
export async function deleteRuns(runs: readonly RunRecord[]): Promise<void> {
  const ids = runs.map(({ id }) => id);
  const answer = await ask((api) => api.runs.deleteRuns(ids));
  if (!answer.ok) return useDeletion.setState({ error: answer.error });
  usePicked.setState((picked) => ({ ids: picked.ids.filter((id) => !ids.includes(id)) }));
  useDeletion.setState({ deleted: runs, error: undefined });
  note(hrefOf('runs'));
}

/** Brings the runs back that were deleted last. */
export function undoDeletion(): void {
  const ids = useDeletion.getState().deleted.map(({ id }) => id);
  useDeletion.setState({ deleted: [] });
  void ask((api) => api.runs.restoreRuns(ids));
}

/** Prepares a new run with the settings and the state of a kept one. */
export async function forkRun(record: RunRecord): Promise<Result<void>> {
  const { datasets, models } = useApp.getState();
  const { dataset, model } = record.config;
  const known = datasets.some(({ name }) => name === dataset);
  if (!known || (typeof model === 'string' && !models.some(({ name }) => name === model))) {
    const what = known ? `the model ${String(model)}` : `the data set ${dataset}`;
    return fail({ code: 'not-found', message: `The run uses ${what}, which is not available here.` });
  }
  const start = await ask((api) => api.runs.holdKept(record.id));
  if (!start.ok) return start;
  takeSettings(record);
  useRuns.setState({ fork: start.value });
  go(hrefOf('train'));
  return ok(undefined);
}

/** Uses a run's settings for the next one. */
export function takeSettings({ config }: Pick<RunRecord, 'config'>): void {
  const { change, setOwnModel } = useApp.getState();
  change(formOf(config));
  if (typeof config.model !== 'string') {
    setOwnModel(config.model);
    change({ model: OWN_MODEL });
  }
}

/** Downloads a run as one zip archive. */
export async function exportRun(record: RunRecord): Promise<Result<void>> {
  const archive = await ask((api) => api.runs.exportRun(record.id));
  if (!archive.ok) return archive;
  const name = record.name.replaceAll(/[^\p{L}\p{N}-]+/gu, '-');
  download(`${name}.zip`, 'application/zip', archive.value);
  return ok(undefined);
}

/** Imports runs from archives. Returns the names of the imported runs, and the errors of the others. */
export async function importRuns(
  files: readonly File[],
): Promise<{ names: string[]; errors: FailureValue[] }> {
  const names: string[] = [];
  const errors: FailureValue[] = [];
  for (const file of files) {
    const bytes = await bytesOf(file);
    const answer = bytes.ok ? await ask((api) => api.runs.importRun(file.name, bytes.value)) : bytes;
    if (answer.ok) names.push(answer.value);
    else {
      const { message } = answer.error;
      const named = message.startsWith(file.name) ? message : `${file.name}: ${message}`;
      errors.push({ ...answer.error, message: named });
    }
  }
  return { names, errors };
}
