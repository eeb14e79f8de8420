/** A project that the page exports contains the user's own images, and trains on them as the run does. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { selectImages } from '../../data/select.ts';
import { readZip } from '../../data/formats/zip.ts';
import { OWN } from '../../data/own/info.ts';
import { pythonWith, TORCH } from '../../exchange/testing/python.ts';
import { dataset, recorded, testSupply, tiny } from '../../train/testing/tiny-run.ts';
import type { Services } from '../services.ts';
import { exportNetwork } from './export.ts';

const { supply, devices } = testSupply();
const root = mkdtempSync(join(tmpdir(), 'wgrad-project-'));
afterAll(() => {
  for (const device of devices) device.destroy();
  rmSync(root, { recursive: true });
});

const python = pythonWith(TORCH, 'numpy');
const [BEFORE, AFTER] = [3, 5];
const own = { ...dataset, name: OWN, classes: ['upper left', 'upper right', 'lower left', 'lower right'] };

test('own images are part of the project, all of them, also of a run on some', async () => {
  const config = tiny({ lastStep: BEFORE + AFTER, validation: 0.1, trainImages: 100, wrongLabels: 0.1 });
  const { run, record } = recorded({ ...config, dataset: await selectImages(own, config) }, supply);
  for (let i = 0; i < BEFORE; i++) await run.stepOnce();
  await run.pause();
  const services = { runs: { run }, datasets: { infos: async () => [] }, pageUrl: '' } as unknown as Services;
  const choice = { format: 'pytorch', fold: false, normalise: true };
  const { bytes, notes } = await exportNetwork(services, { open: true }, choice);
  const folded = await exportNetwork(services, { open: true }, { ...choice, fold: true });
  expect(folded.notes).toEqual(['A PyTorch project trains on, so its batch norm is not folded.']);
  for (let i = 0; i < AFTER; i++) await run.stepOnce();
  await run.close();

  expect(notes).toEqual([]);
  const files = new Map<string, Uint8Array>();
  for (const file of readZip('project.zip', bytes, { files: 100, bytes: 1e7 }))
    files.set(file.path, await file.read());
  const text = (name: string) => new TextDecoder().decode(files.get(name));
  expect(files.get('data/train-batch-1.bin')).toHaveLength(160 * 65);
  expect(files.get('data/test-batch.bin')).toHaveLength(40 * 65);
  expect(text('README.md')).toContain('0 is upper left, 1 is upper right');
  expect(text('README.md')).toContain('python train.py --data data');
  expect(text('requirements.txt')).not.toContain('pillow');

  if (python === undefined) return;
  for (const [name, content] of files) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  const trained = spawnSync(python, ['train.py'], { cwd: root, encoding: 'utf8' });
  expect(trained.status, trained.stderr).toBe(0);
  const losses = trained.stdout
    .split('\n')
    .filter((line) => line.includes('"step"'))
    .map((line) => (JSON.parse(line) as { loss: number }).loss);
  expect(losses).toHaveLength(AFTER);
  losses.forEach((loss, i) => expect(Math.abs(loss - record.rows[BEFORE + i].loss)).toBeLessThan(1e-5));
});

test('images that are gone are said to be missing', async () => {
  const { run } = recorded(tiny({ dataset: own }), supply);
  await run.stepOnce();
  await run.pause();
  const { checkpoint } = run;
  await run.close();
  const model = { ...run.config.model };
  const parameters = await import('../runs/weights.ts').then(({ weightsOfCheckpoint }) =>
    weightsOfCheckpoint(checkpoint!, own.classes),
  );
  const services = {
    datasets: { infos: async () => [], get: async () => ({ ...own, classes: dataset.classes }) },
    store: {
      get: async () => ({ name: 'a-run', config: { model, dataset: OWN } }),
      files: {
        weights: async () => ({ step: 1, bytes: parameters }),
        checkpoint: async () => ({ value: { ...checkpoint, sha256: 'of other images' } }),
      },
    },
    pageUrl: '',
  } as unknown as Services;
  const choice = { format: 'pytorch', fold: false, normalise: true };
  const { notes } = await exportNetwork(services, { run: 'id' }, choice);
  expect(notes).toEqual([
    expect.stringMatching(/^The images are not in the project: Your images have changed since/),
    expect.stringContaining('JPEG'),
  ]);
});
