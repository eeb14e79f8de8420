import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Failure } from '../base/result.ts';
import { datasets } from './catalogue.ts';
import type { DatasetInfo, FileRole } from './dataset.ts';
import { writeIdx } from './formats/idx.ts';
import { importFiles } from './import.ts';
import { corrupted, tarOf, tinyBatches, tinyDataset } from './testing.ts';

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

  it('accepts files that were repacked', async () => {
    const again = new Map([...plain].map(([role, bytes]) => [role, gzipSync(bytes, { level: 1 })]));
    expect([...(await importFiles(info, named(again))).keys()]).toEqual([...plain.keys()]);
  });

  it('reports which files are missing', async () => {
    const error = await failure(importFiles(info, named(packed).slice(0, 2)));
    expect(error.code).toBe('bad-input');
    expect(error.message).toBe(
      'Tiny needs 4 files; missing: test-images.gz (test images), test-labels.gz (test labels)',
    );
  });

  it('reports which file is given twice, packed or not', async () => {
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

  it("recognises another data set's file by its content", async () => {
    const name = 't10k-labels-idx1-ubyte.gz';
    const bytes = readFileSync(path.join(import.meta.dirname, '../../public/datasets/digits', name));
    const error = await failure(importFiles(datasets.get('mnist'), [{ name, bytes }]));
    expect(error.message).toBe(`${name} is ${name} of Synthetic digits, not of MNIST`);
  });
});

describe('importFiles of batches', () => {
  const { info: batches, plain: files, archive } = tinyBatches();

  it('accepts separate files, gzipped or not, and the archive, gzipped or not', async () => {
    expect(await importFiles(batches, named(files).toReversed())).toEqual(files);
    const zipped = new Map([...files].map(([role, bytes]) => [role, Uint8Array.from(gzipSync(bytes))]));
    expect(await importFiles(batches, named(zipped))).toEqual(files);
    expect(await importFiles(batches, [{ name: 'a', bytes: archive }])).toEqual(files);
    expect(await importFiles(batches, [{ name: 'a', bytes: Uint8Array.from(gunzipSync(archive)) }])).toEqual(
      files,
    );
  });

  it('leaves out published files without images', async () => {
    const text = { name: 'data/batches.meta.txt', bytes: new TextEncoder().encode('airplane') };
    const published = { ...batches, extras: ['batches.meta.txt'] };
    expect(await importFiles(published, [text, ...named(files)])).toEqual(files);
    expect(datasets.get('cifar-10').extras).toContain('batches.meta.txt');
  });

  it('reports what is missing, and that the archive would suffice', async () => {
    const error = await failure(importFiles(batches, named(files).slice(1)));
    expect(error.message).toBe('Tiny needs 3 files; missing: train-batch-1.bin (training batch 1)');
    expect(error.advice).toContain('tiny.tar.gz');
  });

  it('refuses an archive beside its files', async () => {
    const error = await failure(importFiles(batches, [{ name: 'a', bytes: archive }, named(files)[1]]));
    expect(error.message).toBe(
      'a/tiny-bin/train-batch-2.bin and my train-batch-2 both hold the training batch 2 of Tiny',
    );
  });

  it('refuses other bytes, also in an archive, naming the file that it should be', async () => {
    const data = corrupted(files.get('train-batch-2'), 100);
    const single = await failure(
      importFiles(batches, [{ name: 'train-batch-2.bin.gz', bytes: gzipSync(data) }]),
    );
    expect(single.code).toBe('checksum');
    expect(single.message).toContain('expected the published train-batch-2.bin with SHA-256');
    const nameless = await failure(importFiles(batches, [{ name: 'a', bytes: data }]));
    expect(nameless.code).toBe('checksum');
    expect(nameless.message).toContain(
      'a: expected the published train-batch-1.bin or train-batch-2.bin or test',
    );
    const bytes = gzipSync(tarOf([{ name: 'tiny-bin/train-batch-2.bin', data }]));
    const inside = await failure(importFiles(batches, [{ name: 'a', bytes }]));
    expect(inside.code).toBe('checksum');
    expect(inside.message).toMatch(
      /^a\/tiny-bin\/train-batch-2.bin: expected the published train-batch-2.bin/,
    );
  });

  it('refuses files of other lengths, other archives, and archives that unpack to more', async () => {
    const short = await failure(importFiles(batches, [{ name: 'a', bytes: new Uint8Array(100) }]));
    expect(short.message).toBe('a, byte 0: expected a file of Tiny, with 366 bytes; found 100');
    const other = await failure(
      importFiles(batches, [{ name: 'a', bytes: tarOf([{ name: 'b', data: new Uint8Array(366) }]) }]),
    );
    expect(other).toMatchObject({ code: 'bad-file', message: 'a is an archive without any file of Tiny' });
    const bomb = await failure(importFiles(batches, [{ name: 'a', bytes: gzipSync(new Uint8Array(2e6)) }]));
    expect(bomb.message).toContain('expected at most 1049674 bytes unpacked, but the file says 2000000');
  });
});
