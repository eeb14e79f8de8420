/** Runs in the browser's IndexedDB: records in one store, their weights, which are large, in another. */
import { createStore, del, get, set, values } from 'idb-keyval';
import type { RunRecord } from './record.ts';

// Opened when first used: some private windows have no IndexedDB.
let opened: { records: ReturnType<typeof createStore>; weights: ReturnType<typeof createStore> } | undefined;
const stores = () =>
  (opened ??= {
    records: createStore('wgrad-runs', 'records'),
    weights: createStore('wgrad-weights', 'weights'),
  });

export const readRecords = (): Promise<RunRecord[]> => values<RunRecord>(stores().records);
export const writeRecord = (record: RunRecord): Promise<void> => set(record.id, record, stores().records);
export const readWeights = (id: string): Promise<Uint8Array<ArrayBuffer> | undefined> =>
  get<Uint8Array<ArrayBuffer>>(id, stores().weights);
export const writeWeights = (id: string, bytes: Uint8Array): Promise<void> =>
  set(id, bytes, stores().weights);
export const removeWeights = (id: string): Promise<void> => del(id, stores().weights);

export async function removeRun(id: string): Promise<void> {
  await del(id, stores().records);
  await removeWeights(id);
}
