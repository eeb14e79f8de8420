/**
 * A lock between processes. Each that wants one creates a file beside what it locks, whose name says whose it is; who then finds
 * no other's holds the lock. As no two processes ever have the same name, the file of one that is gone can be deleted at any
 * time, by several at once, and as the file needs no content, it cannot be half written.
 */
import { constants, rmSync } from 'node:fs';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Failure } from '../base/result.ts';
import { uniqueId } from '../base/unique-id.ts';
import { OWNER, OWNER_PATTERN, runs } from './owner.ts';
import { beside, placeOf } from './place.ts';
import { SIGNALS } from './signals.ts';

/** The longest wait for others, whose work takes milliseconds. */
const WAIT_MS = 20_000;
/** The longest pause between tries. */
const PAUSE_MS = 20;
/** How often a lock's file is written, so that other machines see that its process lives. */
const BEAT_MS = 10_000;
/** After this without, the lock of another machine's process is taken over. */
const STALE_MS = 60_000;
/** The bytes that the name of a lock has for more than the file's. */
const ROOM = 120;

export interface Lock {
  /**
   * Before something is written that it protects: another machine may have taken it over while this process was suspended, or a
   * person may have deleted it.
   * @throws Failure `storage` if it is no longer held
   */
  renew(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Acquires the lock of a file, which need not exist. All names of a file have one lock.
 * @param waitMs how long to wait for others
 * @throws Failure `busy` naming the process that holds it; the system's error if it cannot be created
 */
export async function acquire(path: string, waitMs: number): Promise<Lock> {
  const { path: target } = await placeOf(path);
  const folder = dirname(target);
  const start = basename(beside(target, '.', ROOM));
  const name = `${start}${uniqueId().slice(0, 8)}-${OWNER}@${HOST}.lock`;
  const own = join(folder, name);
  // A link that somebody put there is not followed.
  const claim = () => writeFile(own, '', { flag: 'wx' });
  const withdraw = () => rm(own, { force: true });
  const stay = leaveAtSignals(own);
  try {
    const until = performance.now() + waitMs;
    await claim();
    for (let claimed = true; ;) {
      const others = await othersIn(folder, start, name);
      const [other] = others;
      if (!other && claimed) break;
      if (!other) {
        await claim();
        claimed = true;
        continue;
      }
      if (performance.now() > until) throw busy(path, folder, await holderOf(folder, others));
      // Of several that want it, the first by name, which is random, keeps its claim until the others have withdrawn theirs.
      if (claimed && other.name < name) {
        await withdraw();
        claimed = false;
      }
      await new Promise((done) => setTimeout(done, PAUSE_MS * Math.random()));
    }
  } catch (error) {
    await withdraw();
    stay();
    throw error;
  }
  const flag = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0);
  const beat = () => writeFile(own, `Held by process ${process.pid} on ${hostname()}\n`, { flag });
  await beat().catch(() => undefined);
  const timer = setInterval(() => void beat().catch(() => undefined), BEAT_MS).unref();
  return {
    renew: () =>
      beat().catch((error: unknown) => {
        // On a full disk it is held all the same.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw lost(path, own);
      }),
    release() {
      clearInterval(timer);
      stay();
      return withdraw();
    },
  };
}

/** Deletes a claim when a signal ends this process. What listens to signals besides decides when it ends, and releases its locks. */
function leaveAtSignals(own: string): () => void {
  const listeners = SIGNALS.map((signal) => {
    const listener = () => {
      if (process.listeners(signal).some((one) => !leaving.has(one))) return;
      rmSync(own, { force: true });
      process.off(signal, listener);
      // The last of several claims ends it.
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
    };
    leaving.add(listener);
    process.on(signal, listener);
    return { signal, listener };
  });
  return () => {
    for (const { signal, listener } of listeners) process.off(signal, listener);
  };
}

const leaving = new WeakSet<object>();

/**
 * Runs `work` while no other process runs its own under the same path.
 * @throws Failure `busy` if others hold the lock for too long; the system's error if it cannot be created
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = await acquire(path, WAIT_MS);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/** As part of a file's name. */
const HOST = hostname()
  .replaceAll(/[^\w.-]/g, '_')
  .slice(0, 40);

interface Other {
  name: string;
  pid: string;
  host: string;
}

/** The claims of other processes, by name. Deletes those of processes that are gone. */
async function othersIn(folder: string, start: string, own: string): Promise<Other[]> {
  const others: Other[] = [];
  for (const name of (await readdir(folder)).sort()) {
    if (name === own || !name.startsWith(start)) continue;
    const [, owner, pid, , , host] = PATTERN.exec(name.slice(start.length)) ?? [];
    if (owner === undefined) continue;
    if (runs(owner) ?? (await isBeating(join(folder, name), join(folder, own))))
      others.push({ name, pid, host });
    else await rm(join(folder, name), { force: true });
  }
  return others;
}

const PATTERN = new RegExp(String.raw`^\w{8}-(${OWNER_PATTERN})@(.*)\.lock$`);

/**
 * Whether a process of another machine has written its file lately, by the clock of the file system: that of `own`, which was
 * just written. Without it there is nothing to compare with.
 */
async function isBeating(file: string, own: string): Promise<boolean> {
  const [beat, now] = await Promise.all([file, own].map((one) => stat(one).catch(() => undefined)));
  return beat !== undefined && (now === undefined || now.mtimeMs - beat.mtimeMs <= STALE_MS);
}

/** Of several that want a lock, who has it: only that one has written its file. */
async function holderOf(folder: string, claims: readonly Other[]): Promise<Other> {
  const sizes = await Promise.all(
    claims.map(({ name }) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return claims[sizes.findIndex((size) => size > 0)] ?? claims[0];
}

const busy = (path: string, folder: string, { name, pid, host }: Other): Failure =>
  new Failure(
    'busy',
    `${path} is open for writing in process ${pid} on ${host}`,
    `Wait until that process ends, or give another path. If it no longer runs, delete ${join(folder, name)}.`,
  );

const lost = (path: string, lock: string): Failure =>
  new Failure(
    'storage',
    `${path} may be another process's by now: somebody has deleted ${lock}`,
    'Nothing more is written there. Give another path to a run that resumes from it.',
  );
