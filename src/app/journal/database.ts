/** Runs in the browser's IndexedDB: records in one store; their weights and histograms, which are large, in others. */
import { createStore, del, get, set, values } from 'idb-keyval';
import type { HistogramRecord } from '../../run/metrics/histograms.ts';
import type { RunConfig } from '../../worker/api.ts';
import type { RunRecord } from './record.ts';

// Opened when first used: some private windows have no IndexedDB.
type Store = ReturnType<typeof createStore>;
let opened: { records: Store; weights: Store; histograms: Store } | undefined;
const stores = () =>
  (opened ??= {
    records: createStore('wgrad-runs', 'records'),
    weights: createStore('wgrad-weights', 'weights'),
    histograms: createStore('wgrad-histograms', 'histograms'),
  });

/** Records of earlier versions come in today's form. @throws Failure `bad-file` where one is damaged */
export async function readRecords(): Promise<RunRecord[]> {
  const { withStoredSettings } = await import('../../run/settings/stored.ts');
  const records = await values<RunRecord>(stores().records);
  return records.map(({ config, ...record }) => ({
    ...record,
    config: withStoredSettings<RunConfig>(`the run ${record.name}`, config),
  }));
}

export const writeRecord = (record: RunRecord): Promise<void> => set(record.id, record, stores().records);
export const readWeights = (id: string): Promise<Uint8Array<ArrayBuffer> | undefined> =>
  get<Uint8Array<ArrayBuffer>>(id, stores().weights);
export const writeWeights = (id: string, bytes: Uint8Array): Promise<void> =>
  set(id, bytes, stores().weights);
export const removeWeights = (id: string): Promise<void> => del(id, stores().weights);

export const readHistograms = (id: string): Promise<HistogramRecord[] | undefined> =>
  get<HistogramRecord[]>(id, stores().histograms);
export const writeHistograms = (id: string, records: readonly HistogramRecord[]): Promise<void> =>
  set(id, records, stores().histograms);

export async function removeRun(id: string): Promise<void> {
  await del(id, stores().records);
  await removeWeights(id);
  await del(id, stores().histograms);
}
