/** A lock between processes: a file that names its owner, created only if it does not exist. */
import { open, readFile, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { Failure } from '../base/result.ts';
import { isRunning } from './files.ts';
import { beside } from './place.ts';

/** The longest wait for others, whose work takes milliseconds. */
const WAIT_MS = 20_000;
/** The longest pause between tries. */
const PAUSE_MS = 20;
/** After this, a lock is given up whose owner cannot be asked for: on another machine, or killed before it wrote its name. */
const STALE_MS = 60_000;

/**
 * Runs `work` while no other process runs its own under the same path.
 * @param path of a file that need not exist; the lock lies beside it
 * @throws Failure `storage` if others hold the lock for too long; the system's error if it cannot be created
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = beside(path, '.lock');
  const since = performance.now();
  while (!(await create(lock))) {
    if (performance.now() - since > WAIT_MS) {
      throw new Failure(
        'storage',
        `${lock} is held by ${(await ownerOf(lock)) || 'another process'}`,
        'Delete it if that process no longer uses it.',
      );
    }
    await removeAbandoned(lock);
    await new Promise((done) => setTimeout(done, PAUSE_MS * Math.random()));
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/** Creates a lock file. Returns false if it exists. */
async function create(lock: string): Promise<boolean> {
  try {
    const file = await open(lock, 'wx');
    try {
      await file.writeFile(`process ${process.pid} on ${hostname()}`);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Deletes the lock of a process that was killed. Two that see it at the same time must not delete a newer one: another lock. */
async function removeAbandoned(lock: string): Promise<void> {
  if (!(await isAbandoned(lock))) return;
  const removing = beside(lock, '.remove');
  if (await create(removing)) {
    if (await isAbandoned(lock)) await rm(lock, { force: true });
    await rm(removing, { force: true });
  } else if ((await ageOf(removing)) > STALE_MS) {
    await rm(removing, { force: true });
  }
}

async function isAbandoned(lock: string): Promise<boolean> {
  const [, pid, host] = /^process (\d+) on (.*)$/.exec(await ownerOf(lock)) ?? [];
  return host === hostname() ? !isRunning(Number(pid)) : (await ageOf(lock)) > STALE_MS;
}

const ownerOf = (lock: string): Promise<string> => readFile(lock, 'utf8').catch(() => '');

/** Milliseconds; 0 if it does not exist. */
const ageOf = async (file: string): Promise<number> =>
  stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
