/** Imports the user's own images: files by folder, or zip archives. */
import { Failure } from '../../base/result.ts';
import { makeOwnDataset, type OwnDataset, type OwnOptions } from '../../data/own/make.ts';
import type { OwnFile } from '../../data/own/open.ts';
import type { GivenFile, OwnReport, OwnRequest } from '../api.ts';

/** How many skipped files are listed at most. */
const MAX_LISTED = 100;

/** @throws Failure as `makeOwnDataset` */
export const makeOwn = (
  { files, from, shape, labels, parts }: OwnRequest,
  options: Pick<OwnOptions, 'decode' | 'onProgress' | 'signal'>,
): Promise<OwnDataset> => makeOwnDataset(files.map(asOwn), { ...options, from, shape, labels, parts });

export const asOwn = ({ path, file }: GivenFile): OwnFile => ({
  path,
  bytes: file.size,
  read: async (most) => new Uint8Array(await readable(path, most === undefined ? file : file.slice(0, most))),
});

export function reportOf({ info, counts, skipped }: OwnDataset): OwnReport {
  return {
    counts: info.classes.map((name, i) => ({ name, images: counts[i] })),
    skipped: skipped.slice(0, MAX_LISTED),
    more: Math.max(0, skipped.length - MAX_LISTED),
  };
}

async function readable(path: string, file: Blob): Promise<ArrayBuffer> {
  try {
    return await file.arrayBuffer();
  } catch (cause) {
    throw new Failure('bad-file', `${path} cannot be read`, 'Do not move it during import.', { cause });
  }
}
