import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { datasets } from './catalogue.ts';
import type { FileRole } from './dataset.ts';
import { plainName } from './files.ts';
import { writeIdx } from './formats/idx.ts';
import { assembleDataset } from './load.ts';
import { tinyDataset } from './testing.ts';

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

  it('takes fewer images, and no test files, only when told so', async () => {
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

  it('does not take half of the test files for none', async () => {
    const files = new Map(plain);
    files.delete('test-labels');
    await expect(assembleDataset(info, files, { testRequired: false })).rejects.toThrow(
      'test-labels.gz is missing',
    );
  });

  it('refuses labels that are no class, naming the byte', async () => {
    const labels = Uint8Array.from(plain.get('train-labels') ?? []);
    labels[8 + 7] = 3;
    await expect(assembleDataset(info, withFile('train-labels', labels))).rejects.toThrow(
      'train-labels.gz, byte 15: expected labels from 0 to 2, found 3',
    );
  });

  it('refuses images that are not as many as the labels, or of another size', async () => {
    const fewer = withFile('train-images', writeIdx([19, 4, 5], new Uint8Array(380)));
    await expect(assembleDataset(info, fewer, { counts: 'any' })).rejects.toThrow('expected 20 images');
    const turned = withFile('train-images', writeIdx([20, 5, 4], new Uint8Array(400)));
    await expect(assembleDataset(info, turned)).rejects.toThrow(
      'byte 8: expected size 4 in dimension 1, found 5',
    );
  });
});

describe('the catalogue', () => {
  it('knows three data sets', () => {
    expect(datasets.names()).toEqual(['digits', 'fashion-mnist', 'mnist']);
    for (const entry of datasets.all()) {
      expect(new Set(entry.files.map(({ role }) => role)).size).toBe(4);
      expect(entry.classes.length).toBe(10);
      expect(entry.shipped).toBe(entry.mirrors.length === 0);
      for (const mirror of entry.mirrors) expect(mirror).toMatch(/^https:.*\/$/);
      for (const file of entry.files) expect(file.sha256).toMatch(/^[0-9a-f]{64}$/);
    }
  });
});

const folder = process.env.WGRAD_DATA_DIR;
describe.runIf(folder)('the real MNIST', () => {
  it('is what the catalogue says', async () => {
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
  }, 20_000);
});

const golden = process.env.WGRAD_GOLDEN_DIR;
describe.runIf(golden)('a reduced MNIST in plain files, for training only', () => {
  it('is read when any count will do', async () => {
    const mnist = datasets.get('mnist');
    const at = path.join(golden as string, 'lenet5-sgd');
    const files = new Map(
      mnist.files
        .filter(({ role }) => role.startsWith('train'))
        .map((file) => [file.role, readFileSync(path.join(at, plainName(file)))]),
    );
    const { train, test } = await assembleDataset(mnist, files, { counts: 'any', testRequired: false });
    expect(train.count).toBe(512);
    expect(train.images.length).toBe(512 * 784);
    expect(test).toBeUndefined();
  });
});
