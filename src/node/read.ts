import { open, readFile, stat } from 'node:fs/promises';
import { Failure } from '../base/result.ts';
import { kindOf } from './place.ts';

/**
 * A file's bytes, as a plain Uint8Array as in the browser. A pipe is read to its end.
 * @param most how many it may have; more are not read
 * @throws Failure `not-found` if it cannot be read, `bad-file` if it is longer or no file
 */
export async function readBytes(path: string, most = 2 ** 31): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const found = await stat(path, { bigint: true });
    const kind = kindOf({ path, found });
    if (kind === 'a pipe') return await readPipe(path, most);
    if (kind !== 'a file') throw new Failure('bad-file', `${path}: expected a file, found ${kind}`);
    if (found.size > most) throw tooLong(path, most, Number(found.size));
    const { buffer, byteOffset, byteLength } = await readFile(path);
    return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw unreadable(path, cause as Error);
  }
}

/** @param cause the system's error */
export const unreadable = (path: string, cause: Error): Failure =>
  new Failure('not-found', `${path} cannot be read: ${cause.message}`, undefined, { cause });

async function readPipe(path: string, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of (await open(path)).createReadStream() as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > most) throw tooLong(path, most, length);
    chunks.push(chunk);
  }
  return Uint8Array.from(Buffer.concat(chunks));
}

const tooLong = (path: string, most: number, found: number): Failure =>
  new Failure('bad-file', `${path}: expected at most ${most} bytes, found ${found}`);
