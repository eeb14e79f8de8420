/** What searches found, kept in the browser as one text in IndexedDB. */
import { get, update } from 'idb-keyval';
import { Failure } from '../base/result.ts';

const KEY = 'find-db';

const refused = (what: string, cause: unknown): Failure =>
  new Failure(
    'storage',
    `the browser's storage could not ${what} what was found: ${cause instanceof Error ? cause.message : String(cause)}`,
    'What is found works until the page is closed.',
    { cause },
  );

/** @throws Failure `storage` where the browser refuses, as some do in private windows */
export async function readFindDb(): Promise<string | undefined> {
  try {
    return await get<string>(KEY);
  } catch (error) {
    throw refused('read', error);
  }
}

/**
 * Changes the text in one transaction, so that two tabs do not overwrite each other's.
 * @param change answers the new text from the old one
 * @throws Failure `storage`
 */
export async function updateFindDb(change: (text: string | undefined) => string): Promise<void> {
  try {
    await update<string>(KEY, change);
  } catch (error) {
    throw refused('write', error);
  }
}
