/** What runs are kept in: files, the locks of runs that are open, and the channel to the other tabs. */
import { MemoryFileStore, type FileStore } from '../../storage/file-store.ts';
import type { OpfsFileStore } from '../../storage/opfs.ts';
import type { RunLocks } from '../../storage/run-locks.ts';

/** What the browser offers. */
export interface RunStorage {
  files: FileStore & Partial<Pick<OpfsFileStore, 'sweep' | 'folders'>>;
  locks: Pick<RunLocks, 'hold' | 'release' | 'isHere' | 'elsewhere'>;
  /** Reaches the other tabs. */
  channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>;
}

/** For browsers that refuse storage, as some do in private windows. */
export function inMemory(): RunStorage {
  const held = new Set<string>();
  const locks: RunStorage['locks'] = {
    hold: (id: string) => Promise.resolve(Boolean(held.add(id))),
    release: (id: string) => void held.delete(id),
    isHere: (id: string) => held.has(id),
    elsewhere: () => Promise.resolve(new Set<string>()),
  };
  const channel = { postMessage: () => undefined, addEventListener: () => undefined };
  return { files: new MemoryFileStore(), locks, channel };
}
