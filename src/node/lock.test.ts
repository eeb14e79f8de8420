import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, realpath, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Random } from '../base/random.ts';
import type { Failure } from '../base/result.ts';
import { count, SEED } from '../base/testing/tier.ts';
import { acquire, withLock } from './lock.ts';
import { OWNER, ownerOf, runs } from './owner.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(await realpath(tmpdir()), 'wgrad-'));
  path = join(folder, 'file');
});
afterEach(() => rm(folder, { recursive: true }));

const gone = () => ownerOf(spawnSync(process.execPath, ['-e', '']).pid);
const ofAnotherMachine = OWNER.replace(/\w+$/, (machine) =>
  machine.replaceAll(/./g, (c) => (c === '0' ? '1' : '0')),
);

/** What another process has created. Its name comes before all others. */
async function claimOf(owner: string, secondsAgo = 0): Promise<string> {
  const name = `file.00000000-${owner}@there.lock`;
  await writeFile(join(folder, name), '');
  const at = new Date(Date.now() - 1000 * secondsAgo);
  await utimes(join(folder, name), at, at);
  return name;
}

/** Fails if another one works meanwhile. */
let inside = 0;
async function work(): Promise<void> {
  expect(++inside).toBe(1);
  await new Promise((later) => setTimeout(later, 2));
  inside--;
}

test('work under one path is done one after the other, and leaves no lock', async () => {
  const done = Array.from({ length: 20 }, (_, i) => withLock(path, () => work().then(() => i)));
  expect(await Promise.all(done)).toEqual(Array.from({ length: 20 }, (_, i) => i));
  expect(await readdir(folder)).toEqual([]);
});

test('the lock is released when the work fails', async () => {
  await expect(withLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await withLock(path, async () => 'again')).toBe('again');
});

test('a process that a signal ends leaves no lock, unless it has something to save first', async () => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  const others = process.listeners('SIGTERM');
  process.removeAllListeners('SIGTERM');
  const locks = [await acquire(path, 0), await acquire(join(folder, 'other'), 0)];
  const saves = () => undefined;
  process.on('SIGTERM', saves);
  process.emit('SIGTERM');
  expect(await readdir(folder)).toHaveLength(2);
  process.off('SIGTERM', saves);
  process.emit('SIGTERM');
  expect(await readdir(folder)).toEqual([]);
  expect(kill.mock.calls).toEqual([[process.pid, 'SIGTERM']]);
  for (const lock of locks) await lock.release();
  kill.mockRestore();
  for (const other of others) process.on('SIGTERM', other);
});

test('a lock that is held is refused, with its process, its host and its file, and nothing of the refused is left', async () => {
  const lock = await acquire(path, 0);
  const names = await readdir(folder);
  await expect(acquire(path, 30)).rejects.toMatchObject({
    code: 'busy',
    message: `${path} is open for writing in process ${process.pid} on ${hostname()}`,
    advice: expect.stringContaining(`delete ${join(folder, names[0])}`) as string,
  });
  expect(await readdir(folder)).toEqual(names);
  await lock.release();
  expect(await readdir(folder)).toEqual([]);
});

test('of several that are refused at the same time, each names the one that holds the lock', async () => {
  const lock = await acquire(path, 0);
  const [name] = await readdir(folder);
  for (const { reason } of (await Promise.allSettled(
    Array.from({ length: 8 }, () => acquire(path, 200)),
  )) as PromiseRejectedResult[])
    expect((reason as Failure).advice).toContain(name);
  await lock.release();
});

describe('of several at the same moment, where a killed process has left its lock,', () => {
  const random = new Random(SEED, 'moments');
  const atSomeMoment = async <T>(begin: () => Promise<T>): Promise<T> => {
    await new Promise((later) => setTimeout(later, random.below(4)));
    return begin();
  };

  test(
    'one after the other gets it',
    async () => {
      const owner = gone();
      for (let round = 0; round < count(8, 20, 400); round++) {
        await claimOf(owner);
        await Promise.all(Array.from({ length: 6 }, () => atSomeMoment(() => withLock(path, work))));
        expect(await readdir(folder)).toEqual([]);
      }
    },
    count(30_000, 30_000, 600_000),
  );

  test(
    'exactly one gets it if none waits for another',
    async () => {
      const owner = gone();
      for (let round = 0; round < count(1, 3, 20); round++) {
        await claimOf(owner);
        const tries = Array.from({ length: 6 }, () => atSomeMoment(() => acquire(path, 1000)));
        const held = (await Promise.allSettled(tries)).flatMap((one) =>
          one.status === 'fulfilled' ? [one.value] : [],
        );
        expect(held, `in round ${round}`).toHaveLength(1);
        await held[0].release();
        expect(await readdir(folder)).toEqual([]);
      }
    },
    count(30_000, 30_000, 120_000),
  );
});

test('all names of a file have one lock, also before it exists', async () => {
  await mkdir(join(folder, 'real'));
  await symlink('real', join(folder, 'folder'));
  await symlink('../folder/file', join(folder, 'real', 'link'));
  const names = ['real/file', 'folder/file', 'real/link', 'folder/../real/link'].map((one) =>
    join(folder, one),
  );
  names.push(relative('.', names[0]));
  for (const exists of [false, true]) {
    if (exists) await writeFile(names[0], '');
    for (const name of names) {
      const lock = await acquire(name, 0);
      for (const other of names) await expect(acquire(other, 0)).rejects.toMatchObject({ code: 'busy' });
      await lock.release();
    }
  }
  // Files whose names begin alike have others.
  const lock = await acquire(path, 0);
  await (await acquire(`${path}.more`, 0)).release();
  await lock.release();
});

test('a file whose name is as long as it may be has a lock', async () => {
  const long = join(folder, 'ä'.repeat(127));
  const lock = await acquire(long, 0);
  await expect(acquire(long, 0)).rejects.toMatchObject({ code: 'busy' });
  await (await acquire(join(folder, `${'ä'.repeat(126)}o`), 0)).release();
  await lock.release();
});

describe('a process that is gone', () => {
  test.runIf(process.platform === 'linux')(
    'is gone also before its parent has asked for its status',
    async () => {
      const child = spawn('true');
      const { pid = 0 } = child;
      const owner = ownerOf(pid);
      // Node asks for it only when nothing else is to be done.
      const end = Date.now() + 60_000;
      while (runs(owner) && Date.now() < end)
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      expect(runs(owner)).toBe(false);
      expect(process.kill(pid, 0)).toBe(true);
      await once(child, 'exit');
    },
  );

  test('leaves a lock that is taken over, by one at a time', async () => {
    await claimOf(gone());
    await Promise.all(Array.from({ length: 10 }, () => withLock(path, work)));
    expect(await readdir(folder)).toEqual([]);
  });

  test.runIf(process.platform === 'linux')(
    'has another start than the one that has its number now',
    async () => {
      const [pid, start, machine] = ownerOf(process.ppid).split('-');
      expect(runs([pid, start, machine].join('-'))).toBe(true);
      await claimOf([pid, Number(start) - 1, machine].join('-'));
      await (await acquire(path, 0)).release();
      expect(await readdir(folder)).toEqual([]);
      await claimOf([pid, start, machine].join('-'));
      await expect(acquire(path, 0)).rejects.toMatchObject({ code: 'busy' });
    },
  );

  test.runIf(process.platform === 'linux')(
    'may still be waiting for its parent to ask how it ended',
    async () => {
      const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 60']);
      const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
      const zombie = ownerOf(Number(printed));
      await expect.poll(() => runs(zombie)).toBe(false);
      parent.kill('SIGKILL');
    },
  );
});

describe('a process of another machine', () => {
  test('that has written its lock in the last minute holds it, whatever its number is here', async () => {
    const name = await claimOf(ofAnotherMachine, 50);
    await expect(acquire(path, 0)).rejects.toMatchObject({
      message: expect.stringMatching(/is open for writing in process \d+ on there$/) as string,
      advice: expect.stringContaining(`delete ${join(folder, name)}.`) as string,
    });
    await rm(join(folder, name));
    await (await acquire(path, 0)).release();
  });

  test('that has not, does not', async () => {
    await claimOf(ofAnotherMachine, 70);
    await (await acquire(path, 0)).release();
    expect(await readdir(folder)).toEqual([]);
  });
});

test('the file of a lock is written every ten seconds, and only by who holds it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const lock = await acquire(path, 0);
  const [name] = await readdir(folder);
  const file = join(folder, name);
  const old = new Date(Date.now() - 3_600_000);
  await utimes(file, old, old);
  vi.advanceTimersByTime(10_000);
  await expect.poll(async () => Date.now() - (await stat(file)).mtimeMs).toBeLessThan(600_000);
  await utimes(file, old, old);
  await lock.renew();
  expect(Date.now() - (await stat(file)).mtimeMs).toBeLessThan(600_000);
  // Somebody has deleted it, or another machine has taken it over.
  await rm(file);
  await expect(lock.renew()).rejects.toMatchObject({
    code: 'storage',
    message: expect.stringContaining(file) as string,
  });
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  expect(await readdir(folder)).toEqual([]);
  await lock.release();
});
