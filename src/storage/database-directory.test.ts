import { expect, test, vi } from 'vitest';
import { newestWhole } from './checkpoints.ts';
import { DatabaseDirectory } from './database-directory.ts';
import { OpfsFileStore } from './opfs.ts';
import { pack } from './packed.ts';
import { RunFolder } from './run-folder.ts';
import { testFileStore } from './testing.ts';

// Other files of this process may have loaded the real one.
vi.hoisted(() => vi.resetModules());
/** A store is a map here. */
type Store = Map<string, unknown>;
vi.mock('idb-keyval', () => ({
  get: async (key: string, store: Store) => structuredClone(store.get(key)),
  set: async (key: string, value: unknown, store: Store) => void store.set(key, structuredClone(value)),
  keys: async (store: Store) => [...store.keys()],
  del: async (key: string, store: Store) => void store.delete(key),
  delMany: async (removed: string[], store: Store) => removed.forEach((key) => store.delete(key)),
}));

const make = () => new DatabaseDirectory(new Map() as never, 'wgrad/').handle;

testFileStore('IndexedDB', () => {
  const folder = make();
  return new OpfsFileStore(async () => folder);
});

test('checkpoints of runs are saved in IndexedDB in two generations', async () => {
  const folder = make();
  const store = new OpfsFileStore(async () => folder);
  const { checkpoints } = new RunFolder(store, 'a');
  for (let step = 1; step <= 3; step++) await checkpoints.write(await pack({ step }));
  const again = new RunFolder(store, 'a');
  expect(await newestWhole(again.checkpoints, (_, value) => value)).toMatchObject({ value: { step: 3 } });
  expect(await again.checkpoints.read()).toHaveLength(2);
  await again.remove();
  expect(await store.list('')).toEqual([]);
});
