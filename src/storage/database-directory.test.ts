import { expect, test, vi } from 'vitest';
import { CheckpointSlots } from './checkpoint-slots.ts';
import { newestWhole } from './checkpoints.ts';
import { DatabaseDirectory } from './database-directory.ts';
import { OpfsFileStore } from './opfs.ts';
import { pack } from './packed.ts';
import { RunPlaces } from './run-places.ts';
import { FakeLocks, testFileStore } from './testing.ts';

// Other files of this process may have loaded the real one.
vi.hoisted(() => vi.resetModules());
/** A store is a map here. */
type Store = Map<string, unknown>;
vi.mock('idb-keyval', () => ({
  get: async (key: string, store: Store) => structuredClone(store.get(key)),
  set: async (key: string, value: unknown, store: Store) => void store.set(key, structuredClone(value)),
  keys: async (store: Store) => [...store.keys()],
  delMany: async (removed: string[], store: Store) => removed.forEach((key) => store.delete(key)),
}));

const make = () => new DatabaseDirectory(new Map() as never, 'wgrad/').handle;

testFileStore('IndexedDB', () => new OpfsFileStore(make()));

test('checkpoints of runs are saved in IndexedDB in two generations', async () => {
  const folder = make();
  const open = () => new RunPlaces(folder, new FakeLocks().manager);
  const slots = await open().take('a');
  expect(slots).toBeInstanceOf(CheckpointSlots);
  for (let step = 1; step <= 3; step++) await slots?.write(await pack({ step }));
  const [place, ...others] = await open().free();
  expect(others).toEqual([]);
  expect(await newestWhole(place.slots, (_, value) => value)).toMatchObject({ value: { step: 3 } });
  expect(await place.slots.read()).toHaveLength(2);
  await open().remove('a');
  expect(await open().free()).toEqual([]);
});
