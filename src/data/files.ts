/** The expected files of a data set, and the check whether bytes are one of them. */
import { assert } from '../base/assert.ts';
import { Failure } from '../base/result.ts';
import { hexOf, sha256 as digestOf } from '../base/sha256.ts';
import { elements } from '../base/shape.ts';
import type { DatasetFile, DatasetInfo, FileRole } from './dataset.ts';
import { gunzip, isGzip } from './formats/gzip.ts';
import { idxBytes, looksLikeIdx, readIdx } from './formats/idx.ts';
import { countRecords, recordBytes } from './formats/record-count.ts';

export type Split = 'train' | 'test';

export const splitOf = (role: FileRole): Split => (role.startsWith('train') ? 'train' : 'test');

/** True for a file of records, each a label and its image; the others are IDX. */
export const isBatch = (role: FileRole): boolean => role.includes('batch');

/** For messages: "training images", "training batch 3". */
export const roleTitle = (role: FileRole): string => role.replace('train', 'training').replaceAll('-', ' ');

export function fileOf(info: DatasetInfo, role: FileRole): DatasetFile {
  const file = info.files.find((candidate) => candidate.role === role);
  assert(file !== undefined, `${info.name} has no file for ${role}`);
  return file;
}

/** The name without `.gz`, as after unpacking. */
export const plainName = (file: DatasetFile): string => file.name.replace(/\.gz$/, '');

/** The names that a file may have: as published, then gzipped or not. */
export const possibleNames = (file: DatasetFile): string[] => [
  ...new Set([file.name, `${plainName(file)}.gz`, plainName(file)]),
];

/** The checksum of the unpacked published file, if known. */
const plainSha256 = (file: DatasetFile): string | undefined =>
  file.name.endsWith('.gz') ? file.unpackedSha256 : file.sha256;

/** The number of images, or labels, in the published file. */
export function publishedCount(info: DatasetInfo, role: FileRole): number {
  const split = splitOf(role);
  const parts = isBatch(role) ? info.files.filter((file) => splitOf(file.role) === split).length : 1;
  return info.counts[split] / parts;
}

/** Sizes of a published IDX file once unpacked: [count] or [count, H, W]. */
export function unpackedShape(info: DatasetInfo, role: FileRole): number[] {
  assert(!isBatch(role), `${role} is no IDX file`);
  const count = publishedCount(info, role);
  return role.endsWith('labels') ? [count] : [count, ...info.shape.slice(-2)];
}

export const unpackedBytes = (info: DatasetInfo, role: FileRole): number =>
  isBatch(role)
    ? publishedCount(info, role) * recordBytes(elements(info.shape))
    : idxBytes(unpackedShape(info, role));

/** The files of a set: all, or for a reduced one at least these. @see AssembleOptions */
export const requiredFiles = (info: DatasetInfo, counts: 'published' | 'any'): DatasetFile[] =>
  info.files.filter(({ role }) => counts === 'published' || !/batch-[2-9]$/.test(role));

/** An upper bound on the unpacked archive: the files, and a margin for headers and other content. */
export const archiveLimit = (info: DatasetInfo): number =>
  info.files.reduce((sum, { role }) => sum + unpackedBytes(info, role), 2 ** 20);

/** The longest valid file of the data set, packed or not. */
export const longestBytes = (info: DatasetInfo): number =>
  Math.max(
    ...info.files.map((file) => Math.max(file.bytes, unpackedBytes(info, file.role))),
    info.archive ? archiveLimit(info) : 0,
  );

/** Total size of the files as published. */
export const publishedBytes = (info: DatasetInfo): number =>
  info.files.reduce((sum, file) => sum + file.bytes, 0);

/** In hexadecimal. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  return hexOf(await digestOf(bytes));
}

/**
 * Throws unless the bytes are the published file: compressed as published, or unpacked or repacked with the published
 * content. If the checksum of the unpacked content is not known, an unpacked file must have the published sizes.
 * @param name for messages: the file's name, or the URL it came from
 * @throws Failure `checksum` for other content, `bad-file` for another kind of file
 */
export async function verifyFile(
  info: DatasetInfo,
  file: DatasetFile,
  name: string,
  bytes: Uint8Array,
): Promise<void> {
  const found = await sha256(bytes);
  const plainDigest = plainSha256(file);
  if (found === file.sha256 || found === plainDigest) return;
  const differs = (expected: string, actual: string) =>
    new Failure(
      'checksum',
      `${name}: expected the published ${file.name} with SHA-256 ${expected}, found ${bytes.length} bytes with ${actual}`,
      'The file is damaged or is a different version. Download it again.',
    );
  if (!isGzip(bytes)) {
    checkSizes(info, file.role, name, bytes);
    if (plainDigest !== undefined) throw differs(plainDigest, found);
    return;
  }
  if (plainDigest === undefined) throw differs(file.sha256, found);
  try {
    const plain = await gunzip(name, bytes, unpackedBytes(info, file.role));
    if ((await sha256(plain)) === plainDigest) return;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  throw differs(file.sha256, found);
}

/** True if the bytes may be the file: gzipped, or with the header or the length of the unpacked file. */
export const looksLike = (info: DatasetInfo, role: FileRole, bytes: Uint8Array): boolean =>
  isGzip(bytes) || (isBatch(role) ? bytes.length === unpackedBytes(info, role) : looksLikeIdx(bytes));

/** @throws Failure `bad-file` unless unpacked bytes have the published sizes */
function checkSizes(info: DatasetInfo, role: FileRole, name: string, bytes: Uint8Array): void {
  if (isBatch(role)) countRecords(name, bytes, elements(info.shape), publishedCount(info, role));
  else readIdx(name, bytes, unpackedShape(info, role));
}
