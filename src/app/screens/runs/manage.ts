/** Actions on saved runs. */
import { create } from 'zustand';
import { attempt, fail, Failure, ok, type FailureValue, type Result } from '../../../base/result.ts';
import { uniqueId } from '../../../base/unique-id.ts';
import { ask } from '../../client.ts';
import { download } from '../../download.ts';
import { go, hrefOf } from '../../route.ts';
import { OWN_MODEL } from '../../state/own-model.ts';
import { formOf } from '../../state/settings.ts';
import { useApp } from '../../state/store.ts';
import { filesOf, readRun } from './archive.ts';
import { readWeights, removeRun, writeWeights } from '../../journal/database.ts';
import { dropOpen, saveRecord } from '../../journal/journal.ts';
import type { RunRecord } from '../../journal/record.ts';
import { useRuns } from '../../journal/runs-store.ts';

/** Ids of the runs selected for comparison. */
export const usePicked = create<{ ids: readonly string[] }>()(() => ({ ids: [] }));

/** The largest archive to import, in bytes. */
const LARGEST = 512e6;

export async function changeRun(
  id: string,
  change: Partial<Pick<RunRecord, 'name' | 'note' | 'starred'>>,
): Promise<void> {
  const record = useRuns.getState().records?.find((one) => one.id === id);
  if (record) await saveRecord({ ...record, ...change });
}

/** Deletes a run. Returns what restores it. */
export async function deleteRun(record: RunRecord): Promise<() => Promise<void>> {
  const weights = record.weights && (await readWeights(record.id));
  dropOpen(record.id);
  const others = (records: readonly RunRecord[] = []) => records.filter(({ id }) => id !== record.id);
  useRuns.setState(({ records }) => ({ records: others(records) }));
  usePicked.setState(({ ids }) => ({ ids: ids.filter((id) => id !== record.id) }));
  await removeRun(record.id);
  return async () => {
    if (weights) await writeWeights(record.id, weights);
    await saveRecord(record);
    const all = useRuns.getState().records ?? [];
    useRuns.setState({ records: all.toSorted((a, b) => a.number - b.number) });
  };
}

/** Prepares a new run with the settings and the weights of a saved one. */
export async function forkRun(record: RunRecord): Promise<Result<void>> {
  const weights = record.weights && (await readWeights(record.id));
  if (!weights || !record.weights) {
    return fail({
      code: 'not-found',
      message: `The weights of ${record.name} are not available.`,
      advice: 'Weights are saved when a run is paused or stopped.',
    });
  }
  const { datasets, models } = useApp.getState();
  const { dataset, model } = record.config;
  const known = datasets.some(({ name }) => name === dataset);
  if (!known || (typeof model === 'string' && !models.some(({ name }) => name === model))) {
    const what = known ? `the model ${String(model)}` : `the data set ${dataset}`;
    return fail({ code: 'not-found', message: `The run uses ${what}, which is not available here.` });
  }
  const id = uniqueId();
  const brought = await ask((api) => api.holdWeightsFile(id, weights));
  if (!brought.ok) return brought;
  takeSettings(record);
  const { id: run, name } = record;
  useRuns.setState({ fork: { id, run, name, step: record.weights.step } });
  go(hrefOf('train'));
  return ok(undefined);
}

/** Uses a run's settings for the next one. */
function takeSettings({ config }: RunRecord): void {
  const { change, setOwnModel } = useApp.getState();
  change(formOf(config));
  if (typeof config.model !== 'string') {
    setOwnModel(config.model);
    change({ model: OWN_MODEL });
  }
}

/** Downloads a run as one zip archive. */
export async function exportRun(record: RunRecord): Promise<Result<void>> {
  const model = await ask((api) => api.modelFile(record.config.model));
  if (!model.ok) return model;
  const weights = record.weights && (await readWeights(record.id));
  const archive = await ask((api) => api.packRun(filesOf(record, model.value, weights)));
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
    const answer = await attempt(() => importRun(file));
    if (answer.ok) names.push(answer.value);
    else errors.push({ ...answer.error, message: `${file.name}: ${answer.error.message}` });
  }
  return { names, errors };
}

async function importRun(file: File): Promise<string> {
  if (file.size > LARGEST) {
    throw new Failure(
      'bad-file',
      `expected an archive of at most 512 MB, found ${Math.round(file.size / 1e6)} MB`,
    );
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const files = required(await ask((api) => api.unpackRun(file.name, bytes)));
  const readModel = async (text: string) => required(await ask((api) => api.readModel('model.json', text)));
  const { record, weights } = await readRun(files, readModel);
  const { records = [] } = useRuns.getState();
  const id = uniqueId();
  const number = 1 + Math.max(0, ...records.map((one) => one.number));
  const taken = records.some(({ name }) => name === record.name);
  const name = taken ? `${record.name} (${number})` : record.name;
  if (weights) await writeWeights(id, weights.bytes);
  const held = weights ? { weights: { step: weights.step, bytes: weights.bytes.length } } : {};
  await saveRecord({ ...record, ...held, id, number, name });
  return name;
}

function required<T>(answer: Result<T>): T {
  if (answer.ok) return answer.value;
  throw new Failure(answer.error.code, answer.error.message, answer.error.advice);
}
