import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Failure } from '../base/result.ts';
import { datasets } from './catalogue.ts';
import type { DatasetInfo, FileRole } from './dataset.ts';
import { writeIdx } from './formats/idx.ts';
import { importFiles } from './import.ts';
import { corrupted, tinyDataset } from './testing.ts';

const { info, packed, plain } = tinyDataset();
const named = (files: Map<FileRole, Uint8Array>) =>
  [...files].map(([role, bytes]) => ({ name: `my ${role}`, bytes }));

const failure = async (work: Promise<unknown>): Promise<Failure> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Failure);
  return error as Failure;
};

describe('importFiles', () => {
  it('recognises the files by content, in any order and under any name', async () => {
    expect(await importFiles(info, named(packed).toReversed())).toEqual(packed);
    expect(await importFiles(info, named(plain).toReversed())).toEqual(plain);
  });

  it('takes files that were packed anew', async () => {
    const again = new Map([...plain].map(([role, bytes]) => [role, gzipSync(bytes, { level: 1 })]));
    expect([...(await importFiles(info, named(again))).keys()]).toEqual([...plain.keys()]);
  });

  it('says which files are missing', async () => {
    const error = await failure(importFiles(info, named(packed).slice(0, 2)));
    expect(error.code).toBe('bad-input');
    expect(error.message).toBe(
      'Tiny needs 4 files; missing: test-images.gz (test images), test-labels.gz (test labels)',
    );
  });

  it('says which file is there twice, packed or not', async () => {
    const error = await failure(importFiles(info, [...named(packed), ...named(plain).slice(1)]));
    expect(error.message).toBe('my train-labels and my train-labels both hold the training labels of Tiny');
  });

  it('refuses other bytes than the published ones', async () => {
    const changed = new Map(plain).set('train-images', corrupted(plain.get('train-images'), 100));
    expect((await failure(importFiles(info, named(changed)))).code).toBe('checksum');
    const damaged = new Map(packed).set('train-images', corrupted(packed.get('train-images'), 100));
    expect((await failure(importFiles(info, named(damaged)))).code).toBe('bad-file');
  });

  it('checks only the sizes of unpacked files whose checksum is not known', async () => {
    const vague: DatasetInfo = {
      ...info,
      files: info.files.map((file) => ({ ...file, unpackedSha256: undefined })),
    };
    expect(await importFiles(vague, named(plain))).toEqual(plain);
    const again = new Map([...plain].map(([role, bytes]) => [role, gzipSync(bytes, { level: 1 })]));
    expect((await failure(importFiles(vague, named(again)))).code).toBe('checksum');
  });

  it('refuses files of other sizes and files that are no IDX', async () => {
    const sized = await failure(importFiles(info, [{ name: 'a', bytes: writeIdx([3], new Uint8Array(3)) }]));
    expect(sized.message).toBe(
      'a, byte 4: expected one of the sizes of Tiny, [20, 4, 5], [20], [10, 4, 5], [10]; found [3]',
    );
    const text = await failure(
      importFiles(info, [{ name: 'readme', bytes: new TextEncoder().encode('hello') }]),
    );
    expect(text.message).toMatch(/^readme, byte 0: expected an IDX file/);
  });

  it("tells another data set's file by its content", async () => {
    const name = 't10k-labels-idx1-ubyte.gz';
    const bytes = readFileSync(path.join(import.meta.dirname, '../../public/datasets/digits', name));
    const error = await failure(importFiles(datasets.get('mnist'), [{ name, bytes }]));
    expect(error.message).toBe(`${name} is ${name} of Drawn digits, not of MNIST`);
  });
});
