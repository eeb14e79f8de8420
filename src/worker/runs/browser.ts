/** What the browser offers to keep runs. */
import { OpfsFileStore, privateFolder, refused } from '../../storage/opfs.ts';
import { RunLocks } from '../../storage/run-locks.ts';
import type { RunStorage } from './storage.ts';

const FOLDER = 'wgrad-runs';

/** @throws Failure `storage` if there is none, as in some private windows */
export async function openRunStorage(): Promise<RunStorage> {
  try {
    if (!('locks' in navigator)) throw new Error('this page was not loaded over HTTPS');
    await privateFolder(FOLDER);
    const files = new OpfsFileStore(() => privateFolder(FOLDER));
    const locks = new RunLocks(navigator.locks);
    return { files, locks, channel: new BroadcastChannel(FOLDER) };
  } catch (error) {
    throw refused('save runs', error);
  }
}
