import { expect, test } from 'vitest';
import { readJsonSample } from '../../../../e2e/saved-by-0.1/samples.ts';
import type { SavedStorage } from '../../../../e2e/saved-by-0.1/storage.ts';
import type { Points } from '../../../run/metrics/points.ts';
import { MemoryFileStore } from '../../../storage/file-store.ts';
import { RunLocks } from '../../../storage/run-locks.ts';
import { FakeLocks } from '../../../storage/testing.ts';
import { importRun, packRun } from '../archive/archive.ts';
import { unpackRun } from '../archive/unzip.ts';
import { migrateRuns, type OldRuns } from './migrate.ts';
import { RunStore } from '../store.ts';

const FOLDER = 'wgrad-runs/';

/** A browser with what earlier versions kept. @param sample of e2e/ */
async function visit(sample: string) {
  const saved = readJsonSample<SavedStorage>(sample);
  const mapOf = (name: string) => new Map(saved.indexedDb.find(({ database }) => database === name)?.entries);
  const [records, weights] = [mapOf('wgrad-runs'), mapOf('wgrad-weights') as Map<string, Uint8Array>];
  const files = new MemoryFileStore();
  for (const [path, bytes] of Object.entries(saved.files))
    if (path.startsWith(FOLDER)) await files.write(path.slice(FOLDER.length), bytes);
  const old: OldRuns = {
    records: async () => [...records],
    weights: async (id) => weights.get(id),
    remove: async (id) => {
      weights.delete(id);
      records.delete(id);
    },
  };
  const open = () => {
    const locks = new RunLocks(new FakeLocks().manager);
    const channel = { postMessage: () => undefined, addEventListener: () => undefined };
    const migrate = () => migrateRuns(files, locks, old);
    return new RunStore({ open: async () => ({ files, locks, channel, migrate }), send: () => undefined });
  };
  return { files, old, records, weights: new Map(weights), open };
}

const THIRTY = '../saved-30-runs/profile.json.gz';

test.each(['storage.json', THIRTY])(
  '%s: runs come with settings, curves, weights and checkpoints',
  async (name) => {
    const { records, weights, open } = await visit(name);
    const before = structuredClone([...records.values()]) as { id: string; points?: Points; name: string }[];
    const store = open();
    const { runs, damaged } = await store.all();
    const readable = before.filter((one) => one.name !== 'damaged settings');
    expect(runs.map(({ id }) => id).sort()).toEqual(readable.map(({ id }) => id).sort());
    expect(damaged.map(({ message }) => message)).toEqual(
      name === THIRTY ? [expect.stringContaining('expected lr to be')] : [],
    );
    // The damaged one stays where it is.
    expect(records.size).toBe(damaged.length);
    for (const { id, points } of readable) {
      const { step, loss } = await store.files.curves(id);
      if (points) expect([step, loss]).toEqual([points.step, points.loss]);
      const bytes = weights.get(id);
      const run = await store.get(id);
      if (bytes && !run.checkpoint) expect((await store.files.weights(id)).bytes).toEqual(bytes);
      // Every run is exported whole, and comes back.
      const archive = await packRun(store, id);
      const parts = await unpackRun('run.zip', archive);
      expect(parts.map(({ path }) => path)).toContain('metrics.csv');
      await importRun(store, 'run.zip', archive);
      const copy = await store.get((await store.all()).runs.at(-1)!.id);
      expect(copy).toMatchObject({
        step: run.step,
        model: run.model,
        note: run.note,
        evaluations: run.evaluations,
      });
      expect(copy.checkpoint).toEqual(run.checkpoint);
      expect((await store.files.curves(copy.id)).step).toEqual(step);
    }
    const offered = runs.filter(({ checkpoint }) => checkpoint);
    expect(offered).toHaveLength(1);
    const [{ id, checkpoint }] = offered;
    expect((await store.take(id)).value.step).toBe(checkpoint?.step);
  },
);

test('a crash at any point of the migration loses nothing', async () => {
  const { files, old, open } = await visit('storage.json');
  const whole = await visit('storage.json');
  const expected = (await whole.open().all()).runs.map(({ bytes: _bytes, ...rest }) => rest);
  for (let writes = 0; ; writes++) {
    let left = writes;
    const crashing = Object.assign(Object.create(files) as typeof files, {
      write: (...call: Parameters<typeof files.write>) => {
        if (left-- <= 0) throw new Error('the browser was closed');
        return files.write(...call);
      },
    });
    const locks = new RunLocks(new FakeLocks().manager);
    const outcome = await migrateRuns(crashing, locks, old).then(
      () => 'done',
      () => 'crashed',
    );
    if (outcome === 'done') break;
    expect(writes).toBeLessThan(50);
  }
  expect((await open().all()).runs.map(({ bytes: _bytes, ...rest }) => rest)).toEqual(expected);
});
