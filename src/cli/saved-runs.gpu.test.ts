import { copyFile, mkdtemp, readFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readJsonSample, samplePath } from '../../e2e/saved-by-0.1/samples.ts';
import { linesOf, wgrad } from './testing/program.ts';

const FILES = ['sgd.run', 'adam.run', 'adam.run.previous', 'small-net.json'];

interface SavedRun {
  file: string;
  /** Steps that it has done. */
  step: number;
  /** The options that it was resumed with. */
  options: string[];
  adapter: string;
  /** The losses of the following steps. */
  losses: number[];
}

const { runs } = readJsonSample<{ runs: SavedRun[] }>('cli/losses.json');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wgrad-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Line {
  step?: number;
  loss: number;
  adapter?: string;
}

async function expectToGoOn(file: string, { step, options, adapter, losses }: SavedRun): Promise<void> {
  // Tuning results of this machine must not affect its algorithms.
  const { status, out, err } = await wgrad(
    ...['train', '--resume', join(folder, file), ...options],
    ...['--find-db', join(folder, 'none.json')],
  );
  expect({ status, err: status === 0 ? '' : err }).toEqual({ status: 0, err: '' });
  const lines = linesOf<Line>(out);
  const steps = lines.filter((line) => line.step !== undefined);
  expect(steps.map((line) => line.step)).toEqual(losses.map((_, i) => step + 1 + i));
  const found = steps.map(({ loss }) => loss);
  if (lines.at(-1)?.adapter === adapter) expect(found).toEqual(losses);
  // Another GPU rounds differently.
  else found.forEach((loss, i) => expect(loss).toBeCloseTo(losses[i], 2));
}

describe('checkpoints that version 0.1 wrote', () => {
  beforeAll(async () => {
    for (const file of FILES) await copyFile(samplePath(`cli/${file}`), join(folder, file));
  });

  test.each(runs)('$file, resumed with $options, continues to the same losses', async (run) => {
    const copy = `copy of ${run.file}`;
    await copyFile(join(folder, run.file), join(folder, copy));
    await expectToGoOn(copy, run);
  });

  test('the previous generation is used if the newer one is truncated', async () => {
    await truncate(join(folder, 'adam.run'), 30_000);
    const previous = runs.find(({ file }) => file === 'adam.run.previous');
    if (!previous) throw new Error('losses.json has no adam.run.previous');
    await expectToGoOn('adam.run', previous);
    // A checkpoint written then can be read.
    expect((await readFile(join(folder, 'adam.run'))).length).toBeGreaterThan(50_000);
  });
});
