/** Marks a file as that of one process, so that others can tell when nobody uses it any more: locks, and unfinished files. */
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Undefined where the system has no such file. */
function contentOf(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/**
 * Where process numbers mean the same processes: hosts may share a name, as containers do, and a host's containers share its
 * boot, so each has its own numbers if Linux says so.
 */
const MACHINE = createHash('sha256')
  .update(
    [
      hostname(),
      contentOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
      contentOf(() => readlinkSync('/proc/self/ns/pid')),
    ].join('\n'),
  )
  .digest('hex')
  .slice(0, 8);

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html; undefined on other systems. */
function statusOf(pid: number): { state: string; start: string } | undefined {
  const status = contentOf(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The second field is the program's name, which may contain anything.
  const fields = status?.slice(status.lastIndexOf(')') + 2).split(' ');
  return fields && { state: fields[0], start: fields[19] };
}

/** A process of this machine, as part of a file's name: its number, when it started, its machine. No other ever has the same. */
export const ownerOf = (pid: number): string => `${pid}-${statusOf(pid)?.start ?? 0}-${MACHINE}`;

export const OWNER = ownerOf(process.pid);

/** What an `OWNER` looks like: its number, start and machine. */
export const OWNER_PATTERN = String.raw`(\d+)-(\d+)-([0-9a-f]{8})`;

/** Whether that process runs: undefined for one of another machine. Where the system does not say when it started, its number decides. */
export function runs(owner: string): boolean | undefined {
  const [, pid, start, machine] = new RegExp(`^${OWNER_PATTERN}$`).exec(owner) ?? [];
  if (machine !== MACHINE) return undefined;
  if (!isRunning(Number(pid))) return false;
  const found = statusOf(Number(pid));
  // Killed, but its parent has not asked for its status yet.
  if (found?.state === 'Z') return false;
  return found === undefined || start === '0' || start === found.start;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It may belong to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
