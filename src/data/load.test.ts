import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { datasets } from './catalogue.ts';
import type { FileRole } from './dataset.ts';
import { writeIdx } from './formats/idx.ts';
import { assembleDataset, type AssembleOptions } from './load.ts';
import { tinyBatches, tinyDataset } from './testing.ts';

const { info, packed, plain } = tinyDataset();
const withFile = (role: FileRole, bytes: Uint8Array) => new Map(plain).set(role, bytes);

describe('assembleDataset', () => {
  it('builds a data set from gzipped and from plain files', async () => {
    const dataset = await assembleDataset(info, packed);
    expect(dataset).toMatchObject({ name: 'tiny', shape: [1, 4, 5], mean: [0.5], std: [0.25] });
    expect(dataset.train.count).toBe(20);
    expect(dataset.train.images).toEqual(plain.get('train-images')?.subarray(16));
    expect(dataset.test?.labels).toEqual(plain.get('test-labels')?.subarray(8));
    expect(await assembleDataset(info, plain)).toEqual(dataset);
  });

  it('accepts fewer images, and no test files, only if the options allow it', async () => {
    const reduced = new Map<FileRole, Uint8Array>([
      ['train-images', writeIdx([2, 4, 5], new Uint8Array(40))],
      ['train-labels', writeIdx([2], Uint8Array.of(1, 2))],
    ]);
    const dataset = await assembleDataset(info, reduced, { counts: 'any', testRequired: false });
    expect(dataset.train.count).toBe(2);
    expect(dataset.test).toBeUndefined();
    await expect(assembleDataset(info, reduced, { testRequired: false })).rejects.toThrow(
      'train-labels.gz, byte 4: expected size 20 in dimension 0, found 2',
    );
    await expect(assembleDataset(info, reduced, { counts: 'any' })).rejects.toThrow(
      'test-labels.gz is missing',
    );
  });

  it('does not treat half of the test files as none', async () => {
    const files = new Map(plain);
    files.delete('test-labels');
    await expect(assembleDataset(info, files, { testRequired: false })).rejects.toThrow(
      'test-labels.gz is missing',
    );
  });

  it('refuses labels that are not a class, naming the byte', async () => {
    const labels = Uint8Array.from(plain.get('train-labels') ?? []);
    labels[8 + 7] = 3;
    await expect(assembleDataset(info, withFile('train-labels', labels))).rejects.toThrow(
      'train-labels.gz, byte 15: expected labels from 0 to 2, found 3',
    );
  });

  it('refuses images that do not match the labels in number, or of another size', async () => {
    const fewer = withFile('train-images', writeIdx([19, 4, 5], new Uint8Array(380)));
    await expect(assembleDataset(info, fewer, { counts: 'any' })).rejects.toThrow('expected 20 images');
    const turned = withFile('train-images', writeIdx([20, 5, 4], new Uint8Array(400)));
    await expect(assembleDataset(info, turned)).rejects.toThrow(
      'byte 8: expected size 4 in dimension 1, found 5',
    );
  });
});

describe('assembleDataset of batches', () => {
  const { info: batches, plain: files } = tinyBatches();
  const labelsOf = (...roles: FileRole[]) =>
    roles.flatMap((role) => [...(files.get(role) ?? [])].filter((_, at) => at % 61 === 0));

  it('puts them together in their order', async () => {
    const { train, test } = await assembleDataset(batches, new Map([...files].toReversed()));
    expect(train.count).toBe(12);
    expect([...train.labels]).toEqual(labelsOf('train-batch-1', 'train-batch-2'));
    expect(train.images.subarray(360, 420)).toEqual(files.get('train-batch-2')?.subarray(1, 61));
    expect([...(test?.labels ?? [])]).toEqual(labelsOf('test-batch'));
  });

  it('needs all of them, except for a reduced set, which needs the first', async () => {
    const first = new Map([['train-batch-1', files.get('train-batch-1')?.subarray(0, 122)]]) as typeof files;
    const reduced = { counts: 'any', testRequired: false } as const;
    expect((await assembleDataset(batches, first, reduced)).train.count).toBe(2);
    const missing = (given: typeof files, options: AssembleOptions, message: string) =>
      expect(assembleDataset(batches, given, options)).rejects.toThrow(message);
    await missing(first, { counts: 'any' }, 'test-batch.bin is missing');
    await missing(first, {}, 'train-batch-1.bin, byte 122: expected 6 records of 61 bytes, found 2');
    const without = (role: FileRole) => new Map([...files].filter(([other]) => other !== role));
    await missing(without('train-batch-2'), {}, 'train-batch-2.bin is missing');
    await missing(without('train-batch-1'), reduced, 'train-batch-1.bin is missing');
  });

  it('refuses labels that are not a class, naming the file and the byte', async () => {
    const wrong = Uint8Array.from(files.get('train-batch-2') ?? []);
    wrong[61] = 3;
    await expect(assembleDataset(batches, new Map(files).set('train-batch-2', wrong))).rejects.toThrow(
      'train-batch-2.bin, byte 61: expected labels from 0 to 2, found 3',
    );
  });
});

describe('the catalogue', () => {
  it('contains the data sets', () => {
    expect(datasets.names()).toEqual(['cifar-10', 'digits', 'fashion-mnist', 'mnist', 'shapes']);
    for (const entry of datasets.all()) {
      expect(new Set(entry.files.map(({ role }) => role)).size).toBe(entry.files.length);
      expect(entry.classes.length).toBe(10);
      expect(entry.mean.length).toBe(entry.shape[0]);
      expect(entry.std.length).toBe(entry.shape[0]);
      // It is shipped, downloaded from mirrors, or imported by hand.
      expect(entry.mirrors.length === 0).toBe(entry.shipped || entry.source !== undefined);
      for (const mirror of entry.mirrors) expect(mirror).toMatch(/^https:.*\/$/);
      for (const file of entry.files) expect(file.sha256).toMatch(/^[0-9a-f]{64}$/);
    }
  });
});

const folder = process.env.WGRAD_DATA_DIR;
describe.runIf(folder)('the real MNIST', () => {
  it('matches the catalogue', async () => {
    const mnist = datasets.get('mnist');
    const files = new Map(
      mnist.files.map(({ role, name }) => [role, readFileSync(path.join(folder as string, 'mnist', name))]),
    );
    const { train, test } = await assembleDataset(mnist, files);
    expect([train.count, test?.count]).toEqual([60_000, 10_000]);
    expect([...train.labels.subarray(0, 10)]).toEqual([5, 0, 4, 1, 9, 2, 1, 3, 1, 4]);
    let sum = 0;
    for (const pixel of train.images) sum += pixel;
    expect(sum / train.images.length / 255).toBeCloseTo(mnist.mean[0], 4);
  });
});

describe.runIf(folder)('the real CIFAR-10', () => {
  it('matches the catalogue', async () => {
    const cifar = datasets.get('cifar-10');
    const files = new Map(
      cifar.files.map(({ role, name }) => [
        role,
        readFileSync(path.join(folder as string, 'cifar-10', `${name}.gz`)),
      ]),
    );
    const { train, test } = await assembleDataset(cifar, files);
    expect([train.count, test?.count]).toEqual([50_000, 10_000]);
    const names = Array.from(train.labels.subarray(0, 5), (label) => cifar.classes[label]);
    expect(names).toEqual(['frog', 'truck', 'truck', 'deer', 'automobile']);
    for (const { labels, count } of [train, test as typeof train]) {
      for (let label = 0; label < 10; label++) {
        expect(labels.filter((other) => other === label).length).toBe(count / 10);
      }
    }
    const area = 32 * 32;
    for (let channel = 0; channel < 3; channel++) {
      let [sum, squares] = [0, 0];
      for (let at = channel * area; at < train.images.length; at += 3 * area) {
        for (let i = at; i < at + area; i++) {
          sum += train.images[i];
          squares += train.images[i] * train.images[i];
        }
      }
      const mean = sum / (train.count * area);
      expect(mean / 255).toBeCloseTo(cifar.mean[channel], 4);
      expect(Math.sqrt(squares / (train.count * area) - mean * mean) / 255).toBeCloseTo(
        cifar.std[channel],
        4,
      );
    }
  });
});
