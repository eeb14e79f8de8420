/** `check`: what a pupil handed in, computed again. */
import { writeFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { VERSION } from '../base/version.ts';
import { datasets } from '../data/catalogue.ts';
import { datasetChecksum } from '../data/checksum.ts';
import { submissionOf, submissionText, type SubmittedRun } from '../lessons/submission.ts';
import { packLosses } from '../lessons/losses.ts';
import { completed } from '../run/settings/rules.ts';
import { readDataset } from './data.ts';
import { linesOf, testFolder } from './testing/program.ts';

const STEPS = 8;
const { at, run: wgrad } = testFolder();
let run: SubmittedRun;

/** A file with these runs. */
async function fileOf(name: string, runs: SubmittedRun[]): Promise<string> {
  const path = at(name);
  const lesson = { name: 'loss', title: 'What a loss is', content: '0'.repeat(16) };
  const about = { wgrad: VERSION, lesson, name: 'Ada', began: '2026-03-01T12:00:00.000Z' };
  await writeFile(path, submissionText(submissionOf({ ...about, answers: [], done: [], runs })));
  return path;
}

beforeAll(async () => {
  const { out } = await wgrad(
    `train --model softmax_regression --dataset digits --engine cpu --batch-size 16
     --validation 0.2 --train-images 60 --epochs 2 --seed 3`,
  );
  const lines = linesOf<Record<string, number>>(out);
  const losses = lines.flatMap(({ step, loss }) => (step === undefined ? [] : [loss]));
  const last = lines.findLast((line) => 'epoch' in line);
  const settings = { batchSize: 16, validation: 0.2, trainImages: 60, epochs: 2, seed: 3 };
  run = {
    engine: 'cpu',
    adapter: 'CPU',
    model: 'softmax_regression',
    dataset: 'digits',
    images: await datasetChecksum(await readDataset(datasets.get('digits'))),
    settings: completed(settings),
    adjustments: [],
    pins: [],
    steps: losses.length,
    losses: await packLosses(Float32Array.from(losses)),
    test: {
      step: losses.length,
      testLoss: last?.['test_loss'] ?? null,
      testAccuracy: last?.['test_accuracy'] ?? null,
      validationLoss: last?.['validation_loss'] ?? null,
      validationAccuracy: last?.['validation_accuracy'] ?? null,
    },
  };
  expect(run.steps).toBe(STEPS);
});

test('what the command line trained is confirmed, and what was edited differs, one line per run', async () => {
  const other = { ...run, settings: { ...run.settings, lr: 2 * run.settings.lr } };
  const { status, out, err } = await wgrad(`check ${await fileOf('ada.json', [run, other])}`);
  expect({ status, err }).toEqual({ status: 0, err: '' });
  const [first, second] = linesOf(out);
  expect(first).toMatchObject({ lesson: 'loss', name: 'Ada', run: 1, how: 'confirmed', steps: STEPS });
  expect(second).toMatchObject({ run: 2, how: 'differs', what: 'loss', step: 2 });
  expect(second['there']).not.toBe(second['here']);
});

test('what cannot be checked says why, and a file that is none ends in status 2', async () => {
  const away = await fileOf('away.json', [
    { ...run, dataset: 'own' },
    { ...run, settings: { ...run.settings, initialWeights: '/etc/passwd' as 'resnet20' } },
  ]);
  await writeFile(at('broken.json'), '{');
  const { status, out, err } = await wgrad(`check ${away} @broken.json`);
  expect(linesOf(out)).toMatchObject([
    { how: 'unchecked', message: 'images of one’s own are not in the file' },
    // A file names no file of this machine.
    { how: 'unchecked', message: 'no trained network named "/etc/passwd"' },
  ]);
  expect(status).toBe(2);
  expect(err).toContain('broken.json: expected JSON');
});
