/** Writes zip archives that readZip reads: every file is deflated by the platform, or stored if that is not shorter. */
import { crc32 } from './zip.ts';

export interface PackedFile {
  /** Plain names with "/" between them. */
  path: string;
  bytes: Uint8Array<ArrayBuffer>;
}

const LOCAL = 0x04034b50;
const ENTRY = 0x02014b50;
const END = 0x06054b50;
/** Version 2.0 of the format reads it; names are UTF-8. */
const VERSION = 20;
const UTF8 = 0x0800;
const STORED = 0;
const DEFLATED = 8;
/** 1 January 1980, so that equal files give equal archives. */
const NO_DATE = 0x21;

/**
 * The archive of some files, in their order. Its size must stay below 4 GB.
 * @param compressed false: all files are stored, for programs that read them in place
 */
export async function writeZip(
  files: readonly PackedFile[],
  compressed = true,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let at = 0;
  for (const { path, bytes } of files) {
    const name = new TextEncoder().encode(path);
    const deflated = compressed ? await deflate(bytes) : bytes;
    const stored = deflated.length >= bytes.length;
    const content = stored ? bytes : deflated;
    const about = [
      ...[VERSION, 2, UTF8, 2, stored ? STORED : DEFLATED, 2, 0, 2, NO_DATE, 2],
      ...[crc32(bytes), 4, content.length, 4, bytes.length, 4, name.length, 2, 0, 2],
    ];
    parts.push(numbers(LOCAL, 4, ...about), name, content);
    directory.push(numbers(ENTRY, 4, VERSION, 2, ...about, 0, 2, 0, 2, 0, 2, 0, 4, at, 4), name);
    at += 30 + name.length + content.length;
  }
  const length = directory.reduce((sum, part) => sum + part.length, 0);
  const count = files.length;
  const end = numbers(END, 4, 0, 2, 0, 2, count, 2, count, 2, length, 4, at, 4, 0, 2);
  return joined([...parts, ...directory, end]);
}

/** Little-endian numbers, each followed by its size in bytes: 2 or 4. */
function numbers(...words: number[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(words.reduce((sum, width, i) => sum + (i % 2 === 1 ? width : 0), 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (let i = 0; i < words.length; i += 2) {
    if (words[i + 1] === 2) view.setUint16(at, words[i], true);
    else view.setUint32(at, words[i], true);
    at += words[i + 1];
  }
  return bytes;
}

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function joined(parts: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
