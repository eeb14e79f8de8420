/** For tests: what is no file. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** A device like /dev/null. Root, who could lose the system's own, gets one in a folder, unless a container forbids that. */
export function deviceIn(folder: string): string {
  const path = join(folder, 'null');
  const isRoot = process.getuid?.() === 0;
  return isRoot && spawnSync('mknod', [path, 'c', '1', '3']).status === 0 ? path : '/dev/null';
}

/** A pipe in a folder, by its path. */
export function pipeIn(folder: string): string {
  const path = join(folder, 'pipe');
  spawnSync('mkfifo', [path]);
  return path;
}
