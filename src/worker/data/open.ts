import { lazily } from '../../base/lazily.ts';
import { Failure } from '../../base/result.ts';
import { MemoryFileStore, type FileStore } from '../../storage/file-store.ts';
import { openOpfs } from '../../storage/opfs.ts';
import type { DatasetEvent } from './api.ts';
import { Datasets } from './datasets.ts';

const decoding = lazily(() => import('./decode.ts'));

/**
 * The data sets of a page.
 * @param pageUrl the folder of the page, ending in "/"
 * @param keeps whether they may be stored in the browser
 */
export const openDatasets = (
  pageUrl: string,
  keeps: boolean,
  send: (event: DatasetEvent) => void,
): Datasets =>
  new Datasets({
    store: keeps ? openStore() : Promise.resolve(new MemoryFileStore()),
    pageUrl,
    fetch: (...request) => fetch(...request),
    decode: async (...picture) => (await decoding()).decodePicture(...picture),
    estimate: async () => (await navigator.storage?.estimate?.()) ?? {},
    onStatus: (name, status) => send({ type: 'dataset', name, status }),
  });

/** The browser's private files, or memory if it refuses them, as some do in private windows. */
async function openStore(): Promise<FileStore> {
  try {
    return await openOpfs();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return new MemoryFileStore();
  }
}
