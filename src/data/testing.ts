/** For tests: a whole data set of a few small images, in the format of the real ones. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Random } from '../base/random.ts';
import type { DatasetFile, DatasetInfo, FileRole } from './dataset.ts';
import { writeIdx } from './formats/idx.ts';

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
  const info: DatasetInfo = {
    name: 'tiny',
    title: 'Tiny',
    description: 'Noise.',
    licence: 'none',
    shape: [1, 4, 5],
    classes: ['a', 'b', 'c'],
    mean: [0.5],
    std: [0.25],
    counts: { train: 20, test: 10 },
    files,
    mirrors: TINY_MIRRORS,
    shipped: false,
    ...changes,
  };
  return { info, packed, plain };
}

/** A copy of `bytes` with one bit of the byte at `at` flipped. */
export function corrupted(bytes: Uint8Array | undefined, at: number): Uint8Array {
  const copy = Uint8Array.from(bytes ?? []);
  copy[at] ^= 1;
  return copy;
}
