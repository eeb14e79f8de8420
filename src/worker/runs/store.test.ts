import { describe, expect, test, vi } from 'vitest';
import { Failure } from '../../base/result.ts';
import { CurveLog } from '../../run/metrics/curve-log.ts';
import { MemoryFileStore } from '../../storage/file-store.ts';
import { pack } from '../../storage/packed.ts';
import { RunLocks } from '../../storage/run-locks.ts';
import { OpfsFileStore } from '../../storage/opfs.ts';
import { FakeDirectory, FakeLocks } from '../../storage/testing.ts';
import type { RunsEvent, StoredRun } from '../api.ts';
import type { RunStorage } from './storage.ts';
import { addRun } from './add.ts';
import { RunStore } from './store.ts';
import { storedRun } from './testing/stored-run.ts';

/** A tab; those of one browser share files, locks and messages. */
function browser(files: RunStorage['files'] = new MemoryFileStore()) {
  const locks = new FakeLocks();
  const listeners = new Set<(event: { data: unknown }) => void>();
  const tab = (limit?: number) => {
    const events: RunsEvent[] = [];
    let own: ((event: { data: unknown }) => void) | undefined;
    const channel = {
      postMessage: (data: unknown) => listeners.forEach((one) => one !== own && one({ data })),
      addEventListener: (_: string, listener: unknown) => listeners.add((own = listener as never)),
    };
    const store = new RunStore({
      open: async () => ({ files, channel: channel as never, locks: new RunLocks(locks.manager) }),
      send: (event) => events.push(event),
      ...(limit === undefined ? {} : { limit }),
    });
    return { store, events };
  };
  return { files, locks, tab };
}

const run = (id: string, number: number, more: Partial<StoredRun> = {}) =>
  storedRun({ id, number, name: `run-${number}`, began: number, kept: number, ...more });
const points = new CurveLog(1).points();
const noCurve = { points: { ...points, loss: new Float32Array() } as never };

test('a run is deleted, brought back, and goes for good a minute later', async () => {
  const { files, tab } = browser();
  const { store } = tab();
  await addRun(store, run('a', 1), 'a', noCurve);
  await addRun(store, run('b', 2), 'b', noCurve);
  await (await store.trash()).delete(['a']);
  expect((await store.all()).runs.map(({ id }) => id)).toEqual(['b']);
  expect((await tab().store.all()).runs.map(({ id }) => id)).toEqual(['b']);
  await (await store.trash()).restore(['a']);
  expect((await store.all()).runs.map(({ id }) => id)).toEqual(['a', 'b']);
  await (await store.trash()).delete(['a', 'b']);
  vi.setSystemTime(Date.now() + 70_000);
  expect((await tab().store.all()).runs).toEqual([]);
  expect(await files.list('')).toEqual([]);
  vi.useRealTimers();
});

test('what is left of a run is deleted; a folder with files of a version before 1.0 is neither read nor deleted', async () => {
  const { files, tab } = browser();
  await files.write('begun/curve-0.safetensors', new Uint8Array(8));
  await files.write('old/run-0', new Uint8Array(8));
  expect(await tab().store.all()).toMatchObject({ runs: [], damaged: [] });
  expect(await files.list('')).toEqual(['old/run-0']);
});

test('tabs see what others change, and which runs are open there', async () => {
  const { tab } = browser();
  const [one, other] = [tab(), tab()];
  await other.store.all();
  await addRun(one.store, run('a', 1), 'a', noCurve);
  await expect.poll(async () => (await other.store.all()).runs.length).toBe(1);
  const changed: object[] = [];
  await one.store.tabs.record(run('a', 1, { state: 'training' }), (about) => changed.push(about));
  await one.store.tabs.write(run('a', 1, { state: 'training', step: 20 }));
  await expect.poll(async () => (await other.store.get('a')).step).toBe(20);
  expect(await other.store.get('a')).toMatchObject({ live: 'elsewhere', state: 'training' });
  // A change is made by the tab in which the run is open.
  await other.store.tabs.change('a', { name: 'mine' });
  await expect.poll(() => changed).toEqual([{ name: 'mine' }]);
  await expect.poll(async () => (await other.store.get('a')).name).toBe('mine');
  await expect((await other.store.trash()).delete(['a'])).rejects.toMatchObject({ code: 'busy' });
  one.store.tabs.release('a');
  await expect.poll(async () => (await other.store.get('a')).live).toBe(null);
  // The tab was closed while it trained.
  expect((await other.store.get('a')).state).toBe('paused');
});

test('above the limit the oldest runs lose their weights; starred ones and the newest stay', async () => {
  const { tab } = browser();
  const { store } = tab(11_000);
  const weights = new Uint8Array(4000);
  for (const [number, starred] of [
    [1, true],
    [2, false],
    [3, false],
  ] as const) {
    await addRun(store, run(`r${number}`, number, { starred, weights: { step: 10 } }), `r${number}`, {
      ...noCurve,
      weights,
    });
  }
  const { runs } = await store.all();
  expect(runs.map((one) => Boolean(one.weights))).toEqual([true, false, true]);
  expect(runs.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(11_000);
});

test('folders without a run are removed, damaged runs are named, and the others open', async () => {
  const { files, tab } = browser();
  await addRun(tab().store, run('a', 1), 'a', noCurve);
  await files.write('half/curve-0.safetensors', Uint8Array.of(1));
  await files.write('bad/run.json', new TextEncoder().encode('{"name": "it", "id": 7}'));
  const { runs, damaged } = await tab().store.all();
  expect(runs.map(({ id }) => id)).toEqual(['a']);
  expect(damaged).toMatchObject([
    { code: 'bad-file', message: expect.stringContaining('the run it: expected id') },
  ]);
  expect(await files.list('half')).toEqual([]);
});

test('a folder in which a crash left nothing but half a file is removed, and that of a run in another tab stays', async () => {
  const root = new FakeDirectory();
  const { tab } = browser(new OpfsFileStore(async () => root.handle));
  const { store } = tab();
  await store.all();
  await store.tabs.hold('begun');
  for (const id of ['left', 'begun']) {
    const folder = await root.getDirectoryHandle(id, { create: true });
    await folder.getFileHandle('curve-0.safetensors.1234.part', { create: true });
  }
  expect((await tab().store.all()).runs).toEqual([]);
  expect([...root.children.keys()]).toEqual(['begun']);
});

test('without storage runs are kept in memory, and the reason is known', async () => {
  const refusal = new Failure('storage', 'not in this window');
  const store = new RunStore({ open: () => Promise.reject(refusal), send: () => undefined });
  await addRun(store, run('a', 1), 'a', noCurve);
  expect(await store.all()).toMatchObject({ refusal: { code: 'storage' }, runs: [{ id: 'a' }] });
});

test('changes that follow each other at once are all kept', async () => {
  const { files, tab } = browser();
  const { store } = tab();
  await addRun(store, run('a', 1), 'a', noCurve);
  await Promise.all([
    store.tabs.change('a', { name: 'mine' }),
    store.tabs.change('a', { note: 'slow' }),
    store.tabs.change('a', { starred: true }),
  ]);
  expect(await store.get('a')).toMatchObject({ name: 'mine', note: 'slow', starred: true });
  const kept = JSON.parse(new TextDecoder().decode(await files.read('a/run.json'))) as object;
  expect(kept).toMatchObject({ name: 'mine', note: 'slow', starred: true });
});

/** What a checkpoint says, as far as lists show it. */
const checkpointAt = (step: number) => pack({ step, epoch: 2, snapshot: { w: Float32Array.of(1) } });

test('a tab that is closed between the writes of a checkpoint and of the record leaves the newer checkpoint', async () => {
  const { files, tab } = browser();
  await addRun(tab().store, run('a', 1, { state: 'training', step: 1, checkpoint: { step: 1 } }), 'a', {
    ...noCurve,
    checkpoint: await checkpointAt(1),
  });
  await files.write('a/checkpoint.safetensors', await checkpointAt(10), 'checkpoint.safetensors.previous');
  const seen = async () => (await tab().store.all()).runs[0];
  expect(await seen()).toMatchObject({ state: 'paused', step: 10, epoch: 2, checkpoint: { step: 10 } });
  // Where its head is damaged, the one before it shows; one that cannot be read is named when it is opened.
  await files.write('a/checkpoint.safetensors', Uint8Array.of(1));
  expect(await seen()).toMatchObject({ checkpoint: { step: 1 } });
  await files.write('a/checkpoint.safetensors.previous', Uint8Array.of(1));
  expect(await seen()).toMatchObject({ checkpoint: { step: 1 } });
  // Or it was closed while it freed the run.
  await files.remove('a/checkpoint.safetensors');
  await files.remove('a/checkpoint.safetensors.previous');
  expect((await seen()).checkpoint).toBeUndefined();
});

test('a run that is resumed while it is freed, or deleted, is either whole or refused', async () => {
  const { files, tab } = browser();
  const { store } = tab();
  const add = async (id: string, number: number) => {
    const checkpoint = await checkpointAt(1);
    await addRun(store, run(id, number, { checkpoint: { step: 1 } }), id, { ...noCurve, checkpoint });
  };
  const resumed = (id: string) =>
    store.take(id).then(
      () => true,
      () => false,
    );
  /** Without its content, which take() would refuse. */
  vi.spyOn(store.files, 'checkpoint').mockImplementation(async (id) =>
    (await files.size(`${id}/checkpoint.safetensors`)) > 0 ? ({ value: {} } as never) : undefined,
  );
  const trash = await store.trash();
  await add('a', 1);
  const [takenFirst] = await Promise.all([resumed('a'), trash.free(['a'])]);
  expect(takenFirst).toBe(true);
  expect(await files.list('a')).toContain('a/checkpoint.safetensors');

  await add('b', 2);
  const [, taken] = await Promise.all([trash.free(['b']), resumed('b')]);
  expect((await files.list('b')).includes('b/checkpoint.safetensors')).toBe(taken);

  await add('c', 3);
  const [deleted, takenToo] = await Promise.all([
    trash.delete(['c']).then(
      () => true,
      () => false,
    ),
    resumed('c'),
  ]);
  expect(takenToo).toBe(!deleted);
});

test('a run that another tab writes while it is read is not damaged, and shown as it is then', async () => {
  const root = new FakeDirectory();
  const { tab } = browser(new OpfsFileStore(async () => root.handle));
  const one = tab();
  await addRun(one.store, run('a', 1), 'a', noCurve);
  await one.store.tabs.record(run('a', 1, { state: 'training' }), () => undefined);
  const steps = [20, 30, 40];
  root.faults.onRead = async () => {
    const step = steps.shift();
    if (step === undefined) return;
    await one.store.tabs.write(run('a', 1, { state: 'training', step }));
    throw new DOMException('', 'NotReadableError');
  };
  const other = tab();
  expect(await other.store.all()).toMatchObject({ damaged: [], runs: [{ id: 'a', live: 'elsewhere' }] });
  expect(steps).toEqual([]);
  await expect.poll(async () => (await other.store.get('a')).step).toBe(40);
});

test('what another tab writes or deletes while the runs are read for the first time is not missed', async () => {
  const { files, tab } = browser();
  const one = tab();
  await addRun(one.store, run('a', 1), 'a', noCurve);
  await addRun(one.store, run('b', 2), 'b', noCurve);
  const read = files.read.bind(files);
  let isRead = false;
  vi.spyOn(files, 'read').mockImplementation(async (path, ...part) => {
    const bytes = await read(path, ...part);
    // After it was read, and before it is known.
    if (path === 'b/run.json' && !isRead) {
      isRead = true;
      await one.store.tabs.change('a', { name: 'mine' });
      await (await one.store.trash()).delete(['b']);
    }
    return bytes;
  });
  const other = tab();
  await other.store.all();
  await expect.poll(async () => (await other.store.all()).runs).toMatchObject([{ id: 'a', name: 'mine' }]);
});

describe('a run that is open in another tab', () => {
  const add = async (tab: { store: RunStore }, id: string, number: number) =>
    addRun(tab.store, run(id, number, { kept: number, checkpoint: { step: 1 } }), id, {
      ...noCurve,
      checkpoint: await checkpointAt(1),
    });
  /** Two tabs, and the runs "old" and "new". */
  async function twoTabs() {
    const { tab } = browser();
    const [one, other] = [tab(), tab()];
    await add(one, 'old', 1);
    await add(one, 'new', 2);
    for (const { store } of [one, other]) {
      await store.all();
      vi.spyOn(store.files, 'checkpoint').mockImplementation(
        async () => ({ value: { step: 1, epoch: 2 }, skipped: [] }) as never,
      );
    }
    return [one, other];
  }

  test('is not offered, also if it is the newest or was this tab’s before; another one is', async () => {
    const [one, other] = await twoTabs();
    expect(await other.store.offered()).toMatchObject({ id: 'new' });
    await one.store.take('new');
    expect(await other.store.offered()).toMatchObject({ id: 'old' });
    expect(await other.store.offered('new')).toMatchObject({ id: 'old' });
    await one.store.take('old');
    expect(await other.store.offered('old')).toBeUndefined();
    one.store.tabs.release('new');
    await expect.poll(() => other.store.offered('old')).toMatchObject({ id: 'new' });
  });

  test('is changed by that tab alone, also if this one does not know yet that it is open', async () => {
    const [one, other] = await twoTabs();
    const changed: object[] = [];
    await one.store.tabs.record(run('new', 2, { step: 20 }), (about) => changed.push(about));
    expect(await other.store.get('new')).toMatchObject({ live: null, step: 10 });
    await other.store.tabs.change('new', { name: 'mine' });
    await expect.poll(() => changed).toEqual([{ name: 'mine' }]);
    await expect
      .poll(() => other.store.get('new'))
      .toMatchObject({ name: 'mine', step: 20, live: 'elsewhere' });
  });

  test('cannot be taken, and is known to be open from then on', async () => {
    const [one, other] = await twoTabs();
    await one.store.tabs.hold('new');
    await expect(other.store.take('new')).rejects.toMatchObject({
      message: expect.stringContaining('active in another tab') as string,
    });
    expect(other.events.at(-1)).toMatchObject({ record: { id: 'new', live: 'elsewhere' } });
  });
});

test('a file that another tab is writing stays, if that tab opened its run while those before were read', async () => {
  const root = new FakeDirectory();
  const { tab } = browser(new OpfsFileStore(async () => root.handle));
  const one = tab();
  for (const [id, number] of [
    ['a', 1],
    ['b', 2],
  ] as const)
    await addRun(one.store, run(id, number), id, noCurve);
  let isRead = false;
  root.faults.onRead = async () => {
    if (isRead) return;
    isRead = true;
    await one.store.tabs.hold('b');
    const folder = await root.getDirectoryHandle('b');
    await folder.getFileHandle('run.json.1234.part', { create: true });
  };
  await tab().store.all();
  expect([...(root.children.get('b') as FakeDirectory).children.keys()]).toContain('run.json.1234.part');
});

test('a run that begins has its id and its number at once', async () => {
  const { store } = browser().tab();
  await store.all();
  void store.tabs.record(run('a', 1), () => undefined);
  expect([store.index.find('a')?.id, store.index.nextNumber]).toEqual(['a', 2]);
});

test('a lock that was just released can be held again at once, and twice at once', async () => {
  const locks = new RunLocks(new FakeLocks().manager);
  expect(await Promise.all([locks.hold('a'), locks.hold('a')])).toEqual([true, true]);
  locks.release('a');
  expect(await locks.hold('a')).toBe(true);
});

describe('what another tab did, whose message was not heard', () => {
  const encoded = (value: object) => new TextEncoder().encode(JSON.stringify(value));
  const stored = async (files: RunStorage['files'], id: string) =>
    JSON.parse(new TextDecoder().decode(await files.read(`${id}/run.json`))) as StoredRun;

  test('a run that it deleted is not resumed', async () => {
    const { files, tab } = browser();
    const { store } = tab();
    await addRun(store, run('a', 1), 'a', noCurve);
    await files.write('a/run.json', encoded({ ...(await stored(files, 'a')), deleted: Date.now() }));
    await expect(store.take('a')).rejects.toThrow('no longer saved');
  });

  test('a run that it restored stays', async () => {
    vi.useFakeTimers();
    const { files, tab } = browser();
    const { store } = tab();
    await addRun(store, run('a', 1), 'a', noCurve);
    await (await store.trash()).delete(['a']);
    const { deleted: _, ...record } = await stored(files, 'a');
    await files.write('a/run.json', encoded(record));
    await vi.advanceTimersByTimeAsync(62_000);
    vi.useRealTimers();
    await expect.poll(async () => (await store.all()).runs.map(({ id }) => id)).toEqual(['a']);
    expect(await stored(files, 'a')).toMatchObject({ id: 'a' });
  });
});
