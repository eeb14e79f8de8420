/** Copies a page's data from one browser's storage to another's. */
import type { Page } from '@playwright/test';

/** A store of IndexedDB with out-of-line keys, as idb-keyval creates it. */
interface SavedStore {
  database: string;
  store: string;
  entries: [key: string, value: unknown][];
}

export interface SavedStorage {
  local: Record<string, string>;
  /** The tab's storage. */
  session: Record<string, string>;
  indexedDb: SavedStore[];
  /** The origin private file system, by path. */
  files: Record<string, Uint8Array>;
}

/** A page of the same origin without wgrad's code. */
export async function openBlank(page: Page): Promise<void> {
  await page.route('**/blank.html', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>blank</title>' }),
  );
  await page.goto('./blank.html');
}

/** Writes it to a browser in which wgrad has not been opened. */
export async function loadStorage(page: Page, saved: SavedStorage): Promise<void> {
  await openBlank(page);
  await page.evaluate(async ({ local, session, indexedDb, files }) => {
    for (const [key, value] of Object.entries(local)) localStorage.setItem(key, value);
    for (const [key, value] of Object.entries(session)) sessionStorage.setItem(key, value);
    for (const { database, store, entries } of indexedDb) {
      await new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open(database);
        opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(store));
        opening.addEventListener('error', () => reject(opening.error));
        opening.addEventListener('success', () => {
          const writing = opening.result.transaction(store, 'readwrite');
          for (const [key, value] of entries) writing.objectStore(store).put(value, key);
          writing.addEventListener('error', () => reject(writing.error));
          writing.addEventListener('complete', () => {
            opening.result.close();
            resolve();
          });
        });
      });
    }
    const root = await navigator.storage.getDirectory();
    for (const [path, bytes] of Object.entries(files)) {
      const parts = path.split('/');
      const name = parts.pop() ?? '';
      let folder = root;
      for (const part of parts) folder = await folder.getDirectoryHandle(part, { create: true });
      const stream = await (await folder.getFileHandle(name, { create: true })).createWritable();
      await stream.write(bytes as Uint8Array<ArrayBuffer>);
      await stream.close();
    }
  }, saved);
}

/** A store of IndexedDB; empty if it does not exist. */
export async function readStore(page: Page, database: string, store: string): Promise<SavedStore['entries']> {
  return page.evaluate(
    async ([databaseName, storeName]) => {
      const known = await indexedDB.databases();
      if (!known.some(({ name }) => name === databaseName)) return [];
      return new Promise<[string, unknown][]>((resolve, reject) => {
        const opening = indexedDB.open(databaseName);
        opening.addEventListener('error', () => reject(opening.error));
        opening.addEventListener('success', () => {
          const reading = opening.result.transaction(storeName).objectStore(storeName).openCursor();
          const entries: [string, unknown][] = [];
          reading.addEventListener('error', () => reject(reading.error));
          reading.addEventListener('success', () => {
            const cursor = reading.result;
            if (cursor) {
              entries.push([String(cursor.key), cursor.value]);
              cursor.continue();
            } else {
              opening.result.close();
              resolve(entries);
            }
          });
        });
      });
    },
    [database, store] as const,
  );
}

/** The contents of IndexedDB, localStorage, sessionStorage and folders of the origin private file system. */
export async function saveStorage(
  page: Page,
  stores: readonly Omit<SavedStore, 'entries'>[],
  folders: readonly string[],
): Promise<SavedStorage> {
  const indexedDb: SavedStore[] = [];
  for (const { database, store } of stores) {
    indexedDb.push({ database, store, entries: await readStore(page, database, store) });
  }
  const rest = await page.evaluate(async (prefixes) => {
    const files: Record<string, Uint8Array> = {};
    const walk = async (folder: FileSystemDirectoryHandle, at: string): Promise<void> => {
      for await (const [name, handle] of folder.entries()) {
        if (handle.kind === 'directory') await walk(handle as FileSystemDirectoryHandle, `${at}${name}/`);
        else if (prefixes.some((prefix) => at.startsWith(prefix))) {
          const file = await (handle as FileSystemFileHandle).getFile();
          files[at + name] = new Uint8Array(await file.arrayBuffer());
        }
      }
    };
    await walk(await navigator.storage.getDirectory(), '');
    return { files, local: { ...localStorage }, session: { ...sessionStorage } };
  }, folders);
  return { ...rest, indexedDb };
}
