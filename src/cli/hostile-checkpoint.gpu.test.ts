/** Runs that resume from checkpoints with the right checksum and the wrong content: they train, or say what is wrong. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { Random } from '../base/random.ts';
import { count, SEED } from '../base/testing/tier.ts';
import { replaced } from '../base/testing/replaced.ts';
import { pack, unpack } from '../storage/packed.ts';
import type { SavedRun } from './checkpointing.ts';
import { testFolder } from './testing/program.ts';

const { at, run: wgrad } = testFolder();
const path = at('run');
const train = (line: string) => wgrad(`train --engine cpu ${line} --find-db @find-db.json`);

/** Of a run that has a schedule, an adjustment, pins and factors. */
let good: SavedRun;
beforeAll(async () => {
  const begun = await train(
    `--model lenet5 --dataset digits --batch-size 4 --pin conv1=direct --schedule step --step-epochs 1
     --augment crop=2 --lr-factors fc3=2 --steps 2 --checkpoint @run`,
  );
  expect(begun.status, begun.err).toBe(0);
  expect((await train('--resume @run --steps 3 --lr 0.002')).status).toBe(0);
  good = (await unpack('run', new Uint8Array(readFileSync(path)))) as SavedRun;
});

/** Resumes for a step. What is wrong is said in few words, and nothing is thrown. */
async function resumed(run: unknown): Promise<{ status: number; err: string }> {
  rmSync(`${path}.previous`, { force: true });
  writeFileSync(path, await pack(run));
  const { status, err } = await train('--resume @run --steps 4');
  expect(err, 'a trace of the stack').not.toMatch(/\n\s+at |wgrad bug/);
  expect(status).toBeLessThan(3);
  return { status, err: err.trimEnd().split('\n').at(-1) ?? '' };
}

test.each<[string, (run: SavedRun) => unknown, string]>([
  ['no adapter', (run) => ({ ...run, adapter: undefined }), 'expected a value for adapter, found undefined'],
  [
    'an adapter that is a number',
    (run) => ({ ...run, adapter: 7 }),
    'expected adapter to be string, found 7',
  ],
  [
    'a folder of data that is a list',
    (run) => ({ ...run, options: { 'data-dir': [1] } }),
    'expected options.data-dir to be string, found Array',
  ],
  [
    'two means',
    (run) => ({ ...run, dataset: { ...run.dataset, mean: [0, 0] } }),
    'digits: expected a mean and a deviation for each of 1 channels, found 0,0 and ',
  ],
  [
    'three of both for grey images',
    (run) => ({ ...run, dataset: { ...run.dataset, mean: [0, 0, 0], std: [1, 1, 1] } }),
    'for each of 1 channels, found 0,0,0 and 1,1,1',
  ],
  [
    'a deviation of 0',
    (run) => ({ ...run, dataset: { ...run.dataset, std: [0] } }),
    'expected dataset.std to be above 0',
  ],
])('%s', async (_, change, message) => {
  const { status, err } = await resumed(change(good));
  expect(err).toContain(message);
  expect(status).toBe(2);
});

const TRIES = count(15, 15, 500);
test(`${TRIES} changes at random`, async () => {
  let refused = 0;
  for (let seed = 0; seed < TRIES; seed++) {
    try {
      const { status } = await resumed(replaced(good, new Random(seed + SEED, 'resumed')));
      if (status === 2) refused++;
    } catch (cause) {
      throw new Error(`change with seed ${seed + SEED}`, { cause });
    }
  }
  expect(refused).toBeGreaterThan(TRIES / 4);
});
