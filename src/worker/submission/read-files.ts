/** Reads submissions: files, and archives of them. */
import { attempt, Failure, ok } from '../../base/result.ts';
import { isZip, readZip } from '../../data/formats/zip.ts';
import { codeOf, MAX_SUBMISSION_LENGTH, readSubmission } from '../../lessons/submission.ts';
import type { SubmissionFile } from '../api.ts';

/** A school's worth. */
const LIMITS = { files: 2000, bytes: 2 ** 28 };
const TEXT = /\.json$/i;

interface NamedFile {
  name: string;
  bytes: Uint8Array;
}

export async function readSubmissions(file: NamedFile): Promise<SubmissionFile[]> {
  const inside = await attempt(() => filesIn(file));
  return inside.ok ? Promise.all(inside.value.map(readOne)) : [{ name: file.name, read: inside }];
}

/** @throws Failure `bad-file` */
async function filesIn(file: NamedFile): Promise<NamedFile[]> {
  if (!isZip(file.bytes)) return [file];
  const files: NamedFile[] = [];
  for (const { path, bytes, read } of readZip(file.name, file.bytes, LIMITS)) {
    // What computers add to folders is nobody's.
    if (!TEXT.test(path) || path.startsWith('__MACOSX/')) continue;
    // One too long is refused like a file that is, by its first part.
    const content =
      bytes > MAX_SUBMISSION_LENGTH * 4 ? new Uint8Array(MAX_SUBMISSION_LENGTH + 1) : await read();
    files.push({ name: path, bytes: content });
  }
  if (files.length === 0)
    throw new Failure('bad-file', `${file.name}: expected results of lessons in it, found none`);
  return files;
}

async function readOne({ name, bytes }: NamedFile): Promise<SubmissionFile> {
  const read = await readSubmission(name.slice(-200), new TextDecoder().decode(bytes));
  if (!read.ok) return { name, read };
  return { name, read: ok({ submission: read.value, code: await codeOf(read.value) }) };
}
