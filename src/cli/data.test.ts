import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DatasetInfo, FileRole } from '../data/dataset.ts';
import { datasets } from '../data/catalogue.ts';
import { fileOf, plainName, verifyFile } from '../data/files.ts';
import { tinyBatches, tinyDataset } from '../data/testing.ts';
import { saveFiles, readDataset, readFiles } from './data.ts';

const { info, packed, plain } = tinyDataset();

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'wgrad-data-'));
  vi.stubEnv('WGRAD_DATA_DIR', undefined);
});
afterEach(() => {
  rmSync(root, { recursive: true });
  vi.unstubAllEnvs();
});

function lay(
  folder: string,
  files: ReadonlyMap<FileRole, Uint8Array>,
  gzipped: boolean,
  of: DatasetInfo = info,
): string {
  const path = join(root, folder);
  mkdirSync(path, { recursive: true });
  for (const [role, bytes] of files) {
    const file = fileOf(of, role);
    writeFileSync(join(path, gzipped ? file.name : plainName(file)), bytes);
  }
  return path;
}

const training = (files: ReadonlyMap<FileRole, Uint8Array>) =>
  new Map([...files].filter(([role]) => role.startsWith('train')));

describe('readDataset', () => {
  it.each([
    ['gzipped', '.', packed],
    ['plain', '.', plain],
    ['gzipped in a folder of its name', info.name, packed],
    ['plain in a folder of its name', info.name, plain],
  ])('finds files in a given folder: %s', async (_, folder, files) => {
    lay(folder, files, files === packed);
    const dataset = await readDataset(info, { dataDir: root });
    expect(dataset.train.count).toBe(20);
    expect(dataset.test?.count).toBe(10);
    expect(dataset.train.images).toEqual(plain.get('train-images')?.subarray(16));
  });

  it('accepts training files alone only with that option', async () => {
    lay('.', training(plain), false);
    const dataset = await readDataset(info, { dataDir: root, trainOnly: true });
    expect(dataset.train.count).toBe(20);
    expect(dataset.test).toBeUndefined();
    await expect(readDataset(info, { dataDir: root })).rejects.toMatchObject({ code: 'not-found' });
  });

  it('accepts any number of images in a given folder, but only the published number elsewhere', async () => {
    const larger = { ...info, counts: { train: 21, test: 10 } };
    lay(info.name, packed, true);
    expect((await readDataset(larger, { dataDir: root })).train.count).toBe(20);
    vi.stubEnv('WGRAD_DATA_DIR', root);
    await expect(readDataset(larger)).rejects.toMatchObject({ code: 'bad-file' });
  });

  it("searches WGRAD_DATA_DIR, then the page's folder", async () => {
    lay(info.name, packed, true);
    vi.stubEnv('WGRAD_DATA_DIR', root);
    expect((await readDataset(info)).train.count).toBe(20);
    expect((await readDataset(datasets.get('digits'))).train.count).toBe(10_000);
  });

  it('searches only the given folder, and reports what is missing', async () => {
    vi.stubEnv('WGRAD_DATA_DIR', root);
    lay(info.name, packed, true);
    const empty = join(root, 'empty');
    const reading = readDataset(info, { dataDir: empty });
    await expect(reading).rejects.toMatchObject({ code: 'not-found' });
    await expect(reading).rejects.toThrow(`train-images.gz, train-labels.gz, test-images.gz, test-labels.gz`);
    await expect(reading).rejects.toThrow(empty);
  });

  it('names the folder of a bad file', async () => {
    lay('.', new Map([...plain, ['train-labels', Uint8Array.of(1, 2, 3)]]), false);
    const reading = readDataset(info, { dataDir: root });
    await expect(reading).rejects.toMatchObject({ code: 'bad-file' });
    await expect(reading).rejects.toThrow(`${root}: train-labels`);
  });
});

describe('batches', () => {
  const batches = tinyBatches();

  it.each(['.', 'tiny', 'tiny-bin', 'tiny/tiny-bin'])('are found in the folder %s', async (folder) => {
    lay(folder, batches.plain, false, batches.info);
    const { train, test } = await readDataset(batches.info, { dataDir: root });
    expect([train.count, test?.count]).toEqual([12, 6]);
  });

  it('are found gzipped', async () => {
    const path = lay('tiny', new Map(), false);
    for (const [role, bytes] of batches.plain) writeFileSync(join(path, `${role}.bin.gz`), gzipSync(bytes));
    vi.stubEnv('WGRAD_DATA_DIR', root);
    expect((await readDataset(batches.info)).train.count).toBe(12);
  });

  it('may be a single reduced one in a given folder, if only training is requested', async () => {
    const first = new Map(
      [...batches.plain].slice(0, 1).map(([role, bytes]) => [role, bytes.subarray(0, 61)]),
    );
    lay('tiny', first, false, batches.info);
    const { train, test } = await readDataset(batches.info, { dataDir: root, trainOnly: true });
    expect([train.count, test]).toEqual([1, undefined]);
    vi.stubEnv('WGRAD_DATA_DIR', root);
    await expect(readDataset(batches.info, { trainOnly: true })).rejects.toMatchObject({ code: 'not-found' });
  });

  it('are saved uncompressed, as published', async () => {
    const folder = join(root, 'kept');
    const gzipped = new Map([...batches.plain].map(([role, bytes]) => [role, gzipSync(bytes)]));
    await saveFiles(batches.info, gzipped, folder);
    for (const [role, bytes] of batches.plain) {
      expect(Buffer.compare(readFileSync(join(folder, `${role}.bin`)), bytes)).toBe(0);
    }
  });
});

describe('saveFiles', () => {
  it.each([
    ['gzipped', packed],
    ['plain', plain],
  ])('saves the given files, %s, as the published ones', async (_, files) => {
    const folder = join(root, 'kept');
    await saveFiles(info, files, folder);
    expect(readdirSync(folder).sort()).toEqual(info.files.map(({ name }) => name).sort());
    for (const [role, bytes] of await readFiles(info, folder)) {
      await expect(verifyFile(info, fileOf(info, role), 'kept', bytes)).resolves.toBeUndefined();
    }
  });
});
