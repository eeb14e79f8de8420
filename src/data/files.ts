/** What the files of a data set should be, and whether bytes are one of them. */
import { assert } from '../base/assert.ts';
import { Failure } from '../base/result.ts';
import type { DatasetFile, DatasetInfo, FileRole } from './dataset.ts';
import { gunzip, isGzip } from './formats/gzip.ts';
import { idxBytes, readIdx } from './formats/idx.ts';

export const FILE_ROLES = [
  'train-images',
  'train-labels',
  'test-images',
  'test-labels',
] as const satisfies FileRole[];

/** For messages: "training images". */
export const ROLE_TITLES: Readonly<Record<FileRole, string>> = {
  'train-images': 'training images',
  'train-labels': 'training labels',
  'test-images': 'test images',
  'test-labels': 'test labels',
};

export function fileOf(info: DatasetInfo, role: FileRole): DatasetFile {
  const file = info.files.find((candidate) => candidate.role === role);
  assert(file !== undefined, `${info.name} has no file for ${role}`);
  return file;
}

/** The name without `.gz`, as people who unpack have it. */
export const plainName = (file: DatasetFile): string => file.name.replace(/\.gz$/, '');

/** Sizes of the published file once unpacked: [count] or [count, H, W]. */
export function unpackedShape(info: DatasetInfo, role: FileRole): number[] {
  const count = role.startsWith('train') ? info.counts.train : info.counts.test;
  return role.endsWith('labels') ? [count] : [count, ...info.shape.slice(-2)];
}

export const unpackedBytes = (info: DatasetInfo, role: FileRole): number =>
  idxBytes(unpackedShape(info, role));

/** Sum of the files as published. */
export const publishedBytes = (info: DatasetInfo): number =>
  info.files.reduce((sum, file) => sum + file.bytes, 0);

/** Hexadecimal. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Throws unless the bytes are the published file: compressed as published, or unpacked or packed anew with the published
 * content. Where the checksum of the unpacked content is not known, an unpacked file must have the published sizes.
 * @param name for messages: the file's own name, or the address it came from
 * @throws Failure `checksum` for other content, `bad-file` for what is not even such a file
 */
export async function verifyFile(
  info: DatasetInfo,
  file: DatasetFile,
  name: string,
  bytes: Uint8Array,
): Promise<void> {
  const found = await sha256(bytes);
  if (found === file.sha256 || found === file.unpackedSha256) return;
  const differs = (expected: string, actual: string) =>
    new Failure(
      'checksum',
      `${name}: expected the published ${file.name} with SHA-256 ${expected}, found ${bytes.length} bytes with ${actual}`,
      'The file is damaged or another one. Fetch it again.',
    );
  if (!isGzip(bytes)) {
    readIdx(name, bytes, unpackedShape(info, file.role));
    if (file.unpackedSha256 !== undefined) throw differs(file.unpackedSha256, found);
    return;
  }
  if (file.unpackedSha256 === undefined) throw differs(file.sha256, found);
  try {
    const plain = await gunzip(name, bytes, unpackedBytes(info, file.role));
    if ((await sha256(plain)) === file.unpackedSha256) return;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  throw differs(file.sha256, found);
}
