/** Files as people have them: any names, any order, gzipped or not. */
import { Failure } from '../base/result.ts';
import { badFile } from '../base/bytes.ts';
import { showShape } from '../base/shape.ts';
import { datasets } from './catalogue.ts';
import type { DatasetFile, DatasetInfo, FileRole } from './dataset.ts';
import {
  FILE_ROLES,
  fileOf,
  ROLE_TITLES,
  sha256,
  unpackedBytes,
  unpackedShape,
  verifyFile,
} from './files.ts';
import { gunzipIfNeeded } from './formats/gzip.ts';
import { readIdx } from './formats/idx.ts';

export interface NamedBytes {
  name: string;
  bytes: Uint8Array;
}

/**
 * Finds out by its content which file of the data set each one is, and checks it against the published checksum (see
 * `verifyFile`). All of the data set's files must be there, once each. Names do not matter.
 * @throws Failure `bad-file`, `checksum`, or `bad-input` saying what is missing or there twice
 */
export async function importFiles(
  info: DatasetInfo,
  files: readonly NamedBytes[],
): Promise<Map<FileRole, Uint8Array>> {
  const recognised = new Map<FileRole, NamedBytes>();
  for (const file of files) {
    const role = await recognise(info, file);
    const other = recognised.get(role);
    if (other !== undefined) {
      throw new Failure(
        'bad-input',
        `${other.name} and ${file.name} both hold the ${ROLE_TITLES[role]} of ${info.title}`,
        'Give each file once.',
      );
    }
    recognised.set(role, file);
  }
  const missing = FILE_ROLES.filter((role) => !recognised.has(role));
  if (missing.length > 0) {
    throw new Failure(
      'bad-input',
      `${info.title} needs ${FILE_ROLES.length} files; missing: ` +
        missing.map((role) => `${fileOf(info, role).name} (${ROLE_TITLES[role]})`).join(', '),
      'Give all of them together.',
    );
  }
  return new Map([...recognised].map(([role, { bytes }]) => [role, bytes]));
}

async function recognise(info: DatasetInfo, { name, bytes }: NamedBytes): Promise<FileRole> {
  const known = await published(bytes);
  if (known !== undefined && known.info.name === info.name) return known.file.role;
  if (known !== undefined) {
    throw new Failure(
      'bad-file',
      `${name} is ${known.file.name} of ${known.info.title}, not of ${info.title}`,
      `Give it to ${known.info.title} instead.`,
    );
  }

  const longest = Math.max(...FILE_ROLES.map((role) => unpackedBytes(info, role)));
  const { shape } = readIdx(name, await gunzipIfNeeded(name, bytes, longest));
  const role = FILE_ROLES.find((candidate) => showShape(unpackedShape(info, candidate)) === showShape(shape));
  if (role === undefined) {
    const expected = FILE_ROLES.map((candidate) => showShape(unpackedShape(info, candidate))).join(', ');
    throw badFile(
      name,
      4,
      `expected one of the sizes of ${info.title}, ${expected}; found ${showShape(shape)}`,
    );
  }
  await verifyFile(info, fileOf(info, role), name, bytes);
  return role;
}

/** Which published file, of any data set, the bytes are. */
async function published(bytes: Uint8Array): Promise<{ info: DatasetInfo; file: DatasetFile } | undefined> {
  const digest = await sha256(bytes);
  for (const info of datasets.all()) {
    const file = info.files.find(
      (candidate) => candidate.sha256 === digest || candidate.unpackedSha256 === digest,
    );
    if (file !== undefined) return { info, file };
  }
  return undefined;
}
