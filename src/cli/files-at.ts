/** What a path on the command line names: a file, or all in a folder. */
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { Failure } from '../base/result.ts';
import type { OwnFile } from '../data/own/open.ts';
import { readBytes, unreadable } from '../node/read.ts';

/** The files of a folder, or the file. @param advice what there should be @throws Failure `not-found` */
export async function filesAt(path: string, advice: string): Promise<OwnFile[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new Failure('not-found', `there is no ${path}`, advice);
  return found.isDirectory() ? filesBelow(path) : [fileAt(path, basename(path), found.size)];
}

const fileAt = (path: string, shown: string, bytes: number): OwnFile => ({
  path: shown,
  bytes,
  read: (most) => (most === undefined || most >= bytes ? readBytes(path) : beginning(path, most)),
});

/** @throws Failure as `readBytes` */
async function beginning(path: string, length: number): Promise<Uint8Array> {
  const file = await open(path).catch((cause: Error) => {
    throw unreadable(path, cause);
  });
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Links are not followed: they may form cycles. */
async function filesBelow(folder: string): Promise<OwnFile[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch((cause: Error) => {
    throw unreadable(folder, cause);
  });
  const files: OwnFile[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const { size } = await stat(path);
    files.push(fileAt(path, relative(folder, path).split(sep).join('/'), size));
  }
  return files;
}
