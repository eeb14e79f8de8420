/** Reads what pupils handed in: files, and archives of them. */
import { attempt, Failure } from '../../base/result.ts';
import { isZip, readZip } from '../../data/formats/zip.ts';
import { codeOf, LONGEST_HAND_IN, readHandIn } from '../../run/handed-in/format.ts';
import { unpackLosses } from '../../run/handed-in/losses.ts';
import type { HandedFile } from '../api.ts';

/** A school's worth. */
const LIMITS = { files: 2000, bytes: 2 ** 28 };
const TEXT = /\.json$/i;

interface NamedFile {
  name: string;
  bytes: Uint8Array;
}

export async function readHandIns(given: readonly NamedFile[]): Promise<HandedFile[]> {
  const read: HandedFile[] = [];
  for (const file of given) {
    const inside = await attempt(() => filesIn(file));
    if (inside.ok) for (const one of inside.value) read.push(await readOne(one));
    else read.push({ name: file.name, read: inside });
  }
  return read;
}

/** @throws Failure `bad-file` */
async function filesIn(file: NamedFile): Promise<NamedFile[]> {
  if (!isZip(file.bytes)) return [file];
  const files: NamedFile[] = [];
  for (const { path, bytes, read } of readZip(file.name, file.bytes, LIMITS)) {
    // What computers add to folders is nobody's.
    if (!TEXT.test(path) || path.startsWith('__MACOSX/')) continue;
    // One too long is refused like a file that is, by its first part.
    const content = bytes > LONGEST_HAND_IN * 4 ? new Uint8Array(LONGEST_HAND_IN + 1) : await read();
    files.push({ name: path, bytes: content });
  }
  if (files.length === 0)
    throw new Failure('bad-file', `${file.name}: expected results of lessons in it, found none`);
  return files;
}

async function readOne({ name, bytes }: NamedFile): Promise<HandedFile> {
  const read = await readHandIn(name.slice(-200), new TextDecoder().decode(bytes));
  if (!read.ok) return { name, read };
  const { value: handIn } = read;
  const losses = handIn.runs.map((run) => unpackLosses(run.losses) ?? new Float32Array());
  return { name, read: { ok: true, value: { handIn, code: await codeOf(handIn), losses } } };
}
