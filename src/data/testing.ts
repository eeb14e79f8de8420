/** For tests: whole data sets of a few small images, in the real formats. */
import { createHash } from 'node:crypto';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { Random } from '../base/random.ts';
import type { DatasetFile, DatasetInfo, FileRole } from './dataset.ts';
import { writeIdx } from './formats/idx.ts';
import { writeRecords } from './formats/records.ts';
import { crc32 } from './formats/zip.ts';

export interface TinyDataset {
  info: DatasetInfo;
  /** As published: gzipped. */
  packed: Map<FileRole, Uint8Array>;
  plain: Map<FileRole, Uint8Array>;
}

export const TINY_MIRRORS = ['https://one.example/tiny/', 'https://two.example/tiny/'];

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** 20 training and 10 test images of 4 x 5 in 3 classes. */
export function tinyDataset(changes: Partial<DatasetInfo> = {}): TinyDataset {
  const random = new Random(3);
  const bytes = (count: number, bound: number) =>
    Uint8Array.from({ length: count }, () => random.below(bound));
  const plain = new Map<FileRole, Uint8Array>([
    ['train-images', writeIdx([20, 4, 5], bytes(400, 256))],
    ['train-labels', writeIdx([20], bytes(20, 3))],
    ['test-images', writeIdx([10, 4, 5], bytes(200, 256))],
    ['test-labels', writeIdx([10], bytes(10, 3))],
  ]);
  const packed = new Map([...plain].map(([role, file]) => [role, Uint8Array.from(gzipSync(file))]));
  const files = [...packed].map(([role, file]): DatasetFile => ({
    role,
    name: `${role}.gz`,
    bytes: file.length,
    sha256: sha256(file),
    unpackedSha256: sha256(plain.get(role) ?? file),
  }));
  return { info: { ...TINY, files, ...changes }, packed, plain };
}

const TINY: DatasetInfo = {
  name: 'tiny',
  title: 'Tiny',
  description: 'Noise.',
  licence: 'none',
  shape: [1, 4, 5],
  classes: ['a', 'b', 'c'],
  mean: [0.5],
  std: [0.25],
  counts: { train: 20, test: 10 },
  files: [],
  mirrors: TINY_MIRRORS,
  shipped: false,
};

/**
 * Like `tinyDataset`, in CIFAR-10's form: two training batches of 6 and a test batch of 6, 3 x 4 x 5, in an archive.
 */
export function tinyBatches(): { info: DatasetInfo; plain: Map<FileRole, Uint8Array>; archive: Uint8Array } {
  const random = new Random(5);
  const bytes = (count: number, bound: number) =>
    Uint8Array.from({ length: count }, () => random.below(bound));
  const plain = new Map<FileRole, Uint8Array>(
    (['train-batch-1', 'train-batch-2', 'test-batch'] as const).map((role) => [
      role,
      writeRecords(bytes(360, 256), bytes(6, 3)),
    ]),
  );
  const archive = Uint8Array.from(
    gzipSync(
      tarOf([
        { name: 'tiny-bin/', data: new Uint8Array(), type: '5' },
        { name: 'tiny-bin/readme.html', data: bytes(20, 256) },
        ...[...plain].map(([role, data]) => ({ name: `tiny-bin/${role}.bin`, data })),
      ]),
    ),
  );
  const info: DatasetInfo = {
    ...TINY,
    shape: [3, 4, 5],
    mean: [0.5, 0.5, 0.5],
    std: [0.25, 0.25, 0.25],
    counts: { train: 12, test: 6 },
    files: [...plain].map(([role, file]) => ({
      role,
      name: `${role}.bin`,
      bytes: file.length,
      sha256: sha256(file),
    })),
    archive: { name: 'tiny.tar.gz', bytes: archive.length, folder: 'tiny-bin' },
    source: 'https://tiny.example/',
    mirrors: [],
  };
  return { info, plain, archive };
}

/** An archive of these files, as `tar --format=ustar` writes it. @param files types are '0' (plain) unless given */
export function tarOf(files: readonly { name: string; data: Uint8Array; type?: string }[]): Uint8Array {
  const blocks = files.flatMap(({ name, data, type = '0' }) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write('0000644', 100);
    header.write(data.length.toString(8).padStart(11, '0'), 124);
    header.write('        ', 148);
    header.write(type, 156);
    header.write('ustar\x0000', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, data, Buffer.alloc((512 - (data.length % 512)) % 512)];
  });
  return Uint8Array.from(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

/** A copy of `bytes` with one bit of the byte at `at` flipped. */
export function corrupted(bytes: Uint8Array | undefined, at: number): Uint8Array {
  const copy = Uint8Array.from(bytes ?? []);
  copy[at] ^= 1;
  return copy;
}

export interface ZipMember {
  path: string;
  data: Uint8Array;
  /** Stored unless given. */
  deflate?: boolean;
  /** False claims of the directory. */
  says?: Partial<Record<'crc' | 'packed' | 'unpacked' | 'local' | 'method' | 'flags', number>>;
}

/** An archive of these files. @param comment at the end of the archive */
export function zipOf(members: readonly ZipMember[], comment = ''): Uint8Array<ArrayBuffer> {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { path, data, deflate = false, says = {} } of members) {
    const name = Buffer.from(path);
    const packed = deflate ? deflateRawSync(data) : Buffer.from(data);
    const truth = {
      crc: crc32(data),
      packed: packed.length,
      unpacked: data.length,
      local: at,
      method: deflate ? 8 : 0,
      flags: 0x800,
    };
    const fields = { ...truth, ...says };
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(fields.method, 8);
    header.writeUInt32LE(truth.crc, 14);
    header.writeUInt32LE(packed.length, 18);
    header.writeUInt32LE(data.length, 22);
    header.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(fields.flags, 8);
    entry.writeUInt16LE(fields.method, 10);
    entry.writeUInt32LE(fields.crc, 16);
    entry.writeUInt32LE(fields.packed, 20);
    entry.writeUInt32LE(fields.unpacked, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(fields.local, 42);
    locals.push(header, name, packed);
    directory.push(entry, name);
    at += header.length + name.length + packed.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(Buffer.byteLength(comment), 20);
  return Uint8Array.from(Buffer.concat([...locals, entries, end, Buffer.from(comment)]));
}

/**
 * As Python's zipfile writes it to a pipe with force_zip64, and with a low ZIP64_LIMIT: two files, in/x.png and in/y.png, both the
 * squares of 0 to 499 modulo 7.
 * @param says false claims: how many files there are, where the zip64 end is
 */
export function zip64Archive(says: { count?: number; at?: number } = {}): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(ZIP64, 'base64');
  const end = 348;
  if (says.count !== undefined)
    for (const at of [24, 32]) bytes.writeBigUInt64LE(BigInt(says.count), end + at);
  if (says.at !== undefined) bytes.writeBigUInt64LE(BigInt(says.at), bytes.length - 34);
  return Uint8Array.from(bytes);
}

/** 446 bytes, in base64. */
const ZIP64 =
  'UEsDBC0ACAAIAAAAIVwAAAAA//////////8IABQAaW4veC5wbmcBABAAAAAAAAAAAAAAAAAAAAAAAGNgZGFiYmFkGKVGDgUAUEsHCEymi2AOAAAAAAAAAPQBAAAAAAAAUEsDBC0ACAAIAAAAIVwAAAAA//////////8IABQAaW4veS5wbmcBABAAAAAAAAAAAAAAAAAAAAAAAGNgZGFiYmFkGKVGDgUAUEsHCEymi2AOAAAAAAAAAPQBAAAAAAAAUEsBAi0DLQAIAAgAAAAhXEymi2D//////////wgAFAAAAAAAAAAAAIABAAAAAGluL3gucG5nAQAQAPQBAAAAAAAADgAAAAAAAABQSwECLQMtAAgACAAAACFcTKaLYP//////////CAAcAAAAAAAAAAAAgAH/////aW4veS5wbmcBABgA9AEAAAAAAAAOAAAAAAAAAGAAAAAAAAAAUEsGBiwAAAAAAAAALQAtAAAAAAAAAAAAAgAAAAAAAAACAAAAAAAAAJwAAAAAAAAAwAAAAAAAAABQSwYHAAAAAFwBAAAAAAAAAQAAAFBLBQYAAAAAAgACAJwAAADAAAAAAAA=';
