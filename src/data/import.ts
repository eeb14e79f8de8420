/** Imports files as users have them: any names, any order, gzipped or not. */
import { Failure } from '../base/result.ts';
import { badFile } from '../base/bytes.ts';
import { showShape } from '../base/shape.ts';
import { datasets } from './catalogue.ts';
import type { DatasetFile, DatasetInfo, FileRole } from './dataset.ts';
import {
  archiveLimit,
  fileOf,
  isBatch,
  possibleNames,
  roleTitle,
  sha256,
  unpackedBytes,
  unpackedShape,
  verifyFile,
} from './files.ts';
import { gunzipIfNeeded } from './formats/gzip.ts';
import { readIdx } from './formats/idx.ts';
import { looksLikeTar, readTar } from './formats/tar.ts';

export interface NamedBytes {
  name: string;
  bytes: Uint8Array;
}

/**
 * Recognises by its content which file of the data set each one is, and checks it against the published checksum (see
 * `verifyFile`). Each of the data set's files must be given exactly once. Names do not matter, except within an
 * archive, and of published files without images.
 * @throws Failure `bad-file`, `checksum`, or `bad-input` naming what is missing or duplicate
 */
export async function importFiles(
  info: DatasetInfo,
  files: readonly NamedBytes[],
): Promise<Map<FileRole, Uint8Array>> {
  const recognised = new Map<FileRole, NamedBytes>();
  for (const file of await unpackArchives(info, files)) {
    if (info.extras?.includes(baseName(file.name))) continue;
    const role = await recognise(info, file);
    const other = recognised.get(role);
    if (other !== undefined) {
      throw new Failure(
        'bad-input',
        `${other.name} and ${file.name} both hold the ${roleTitle(role)} of ${info.title}`,
        'Add each file only once.',
      );
    }
    recognised.set(role, file);
  }
  const missing = info.files.filter(({ role }) => !recognised.has(role));
  if (missing.length > 0) {
    throw new Failure(
      'bad-input',
      `${info.title} needs ${info.files.length} files; missing: ` +
        missing.map(({ name, role }) => `${name} (${roleTitle(role)})`).join(', '),
      info.archive ? `Add all of them at once, or add ${info.archive.name}.` : 'Add all of them at once.',
    );
  }
  return new Map([...recognised].map(([role, { bytes }]) => [role, bytes]));
}

async function recognise(info: DatasetInfo, { name, bytes }: NamedBytes): Promise<FileRole> {
  const known = await published(info, bytes);
  if (known !== undefined && known.info.name === info.name) return known.file.role;
  if (known !== undefined) {
    throw new Failure(
      'bad-file',
      `${name} is ${known.file.name} of ${known.info.title}, not of ${info.title}`,
      `Add it to ${known.info.title} instead.`,
    );
  }

  const role = await roleBySize(info, name, bytes);
  await verifyFile(info, fileOf(info, role), name, bytes);
  return role;
}

/** Which of the data set's files has the sizes of this one. */
async function roleBySize(info: DatasetInfo, name: string, bytes: Uint8Array): Promise<FileRole> {
  const roles = info.files.map((file) => file.role);
  const plain = await gunzipIfNeeded(
    name,
    bytes,
    Math.max(...roles.map((candidate) => unpackedBytes(info, candidate))),
  );
  if (roles.some(isBatch)) {
    // Batches do not identify themselves; among those of one length, the published name decides.
    const fitting = info.files.filter((file) => unpackedBytes(info, file.role) === plain.length);
    const file = fitting.find((candidate) => possibleNames(candidate).includes(baseName(name)));
    if (file !== undefined) return file.role;
    if (fitting.length > 0) {
      throw new Failure(
        'checksum',
        `${name}: expected the published ${fitting.map((candidate) => candidate.name).join(' or ')}, ` +
          `found a file of the same size (${plain.length} bytes) with different contents`,
        'The file is damaged or is a different version. Download it again.',
      );
    }
    const lengths = new Set(roles.map((candidate) => unpackedBytes(info, candidate)));
    throw badFile(
      name,
      0,
      `expected a file of ${info.title}, with ${[...lengths].join(' or ')} bytes; found ${plain.length}`,
    );
  }
  const { shape } = readIdx(name, plain);
  const role = roles.find((candidate) => showShape(unpackedShape(info, candidate)) === showShape(shape));
  if (role !== undefined) return role;
  const expected = roles.map((candidate) => showShape(unpackedShape(info, candidate))).join(', ');
  throw badFile(
    name,
    4,
    `expected one of the sizes of ${info.title}, ${expected}; found ${showShape(shape)}`,
  );
}

/** Replaces an archive by the data set's files in it. Some browsers remove its gzip compression on download. */
async function unpackArchives(info: DatasetInfo, files: readonly NamedBytes[]): Promise<NamedBytes[]> {
  if (info.archive === undefined) return [...files];
  const wanted = new Set(info.files.flatMap(possibleNames));
  const unpacked: NamedBytes[] = [];
  for (const { name, bytes } of files) {
    const plain = await gunzipIfNeeded(name, bytes, archiveLimit(info));
    if (!looksLikeTar(plain)) {
      unpacked.push({ name, bytes: plain });
      continue;
    }
    const inside = readTar(name, plain).filter((file) => wanted.has(baseName(file.name)));
    if (inside.length === 0) {
      throw new Failure(
        'bad-file',
        `${name} is an archive without any file of ${info.title}`,
        `Give ${info.archive.name} as it is published.`,
      );
    }
    for (const file of inside) unpacked.push({ name: `${name}/${file.name}`, bytes: file.data });
  }
  return unpacked;
}

const baseName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

/** Which published file, of this data set or any other, the bytes are. */
async function published(
  wanted: DatasetInfo,
  bytes: Uint8Array,
): Promise<{ info: DatasetInfo; file: DatasetFile } | undefined> {
  const digest = await sha256(bytes);
  for (const info of [wanted, ...datasets.all()]) {
    const file = info.files.find(
      (candidate) => candidate.sha256 === digest || candidate.unpackedSha256 === digest,
    );
    if (file !== undefined) return { info, file };
  }
  return undefined;
}
