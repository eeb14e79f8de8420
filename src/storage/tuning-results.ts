/** Tuning results in the browser: one text in IndexedDB. */
import { get, update } from 'idb-keyval';
import { Failure } from '../base/result.ts';

const KEY = 'find-db';

const refused = (what: string, cause: unknown): Failure =>
  new Failure(
    'storage',
    `browser storage could not ${what} tuning results: ${cause instanceof Error ? cause.message : String(cause)}`,
    'Tuning results stay available until you close this page.',
    { cause },
  );

/** Errors, as in some private windows, are `storage` failures. */
export const browserTuningStore = {
  async read(): Promise<string | undefined> {
    try {
      return await get<string>(KEY);
    } catch (error) {
      throw refused('read', error);
    }
  },

  /** In one transaction, so that two tabs do not overwrite each other's. */
  async update(change: (text: string | undefined) => string): Promise<void> {
    try {
      await update<string>(KEY, change);
    } catch (error) {
      throw refused('write', error);
    }
  },
};
