/** Files that `train` writes: they are checked before training, and what cannot be written does not take the others along. */
import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { OWNER } from '../node/owner.ts';
import { readSafetensors } from '../data/formats/safetensors.ts';
import { pipeIn } from '../node/testing.ts';
import { linesOf, testFolder } from './testing/program.ts';

const { folder, at, run: wgrad, interrupted } = testFolder();

const TRAIN = 'train --model softmax_regression --dataset digits --batch-size 16';
/** Until its first checkpoint is due, something has happened to the disk. */
const train = (line: string) => wgrad(`${TRAIN} --steps 40 ${line}`);

/** What a file that cannot be written does: stands in for a full disk. */
const fill = (path: string) => mkdirSync(`${path}.${OWNER}.part`);

/** Trains, and fills the disk for a file as soon as the first step is done. */
const filled = (name: string, line: string) => {
  let isFull = false;
  return interrupted(`${TRAIN} --steps 40 ${line}`, (out) => {
    if (out !== '' && !isFull) {
      isFull = true;
      fill(at(name));
    }
    return false;
  });
};

const hasWeights = (path: string) => readSafetensors(path, readFileSync(path)).tensors.size > 0;

test('what is read may be replaced by what comes of it', async () => {
  const weights = at('again.safetensors');
  expect((await train('--save @again.safetensors --checkpoint @again --checkpoint-every 20')).status).toBe(0);
  const first = readFileSync(weights);
  expect((await train('--weights @again.safetensors --save @again.safetensors')).status).toBe(0);
  expect(readFileSync(weights)).not.toEqual(first);
  for (const line of [
    'train --resume @again --steps 41',
    'train --resume @again --steps 42 --checkpoint @again',
    'train --resume @again.previous --steps 43 --checkpoint @again',
    'export --weights @again.safetensors --out @again.safetensors',
  ])
    expect(await wgrad(line), line).toMatchObject({ status: 0 });
  expect(hasWeights(weights)).toBe(true);
});

test('checkpoints and weights behind links lie where the links lead, with what belongs to them; modes stay', async () => {
  mkdirSync(at('real'));
  mkdirSync(at('links'));
  for (const name of ['run', 'weights']) symlinkSync(`../real/${name}`, at(`links/${name}`));
  writeFileSync(at('real/weights'), 'secret', { mode: 0o600 });
  const options = '--checkpoint @links/run --checkpoint-every 10 --save @links/weights';
  expect((await train(options)).status).toBe(0);
  const resumed = await wgrad('train --resume @links/run --steps 45 --checkpoint-every 2');
  expect(linesOf(resumed.out)[0]).toMatchObject({ step: 41 });
  expect((await readdir(at('links'))).sort()).toEqual(['run', 'weights']);
  expect((await readdir(at('real'))).sort()).toEqual(['run', 'run.previous', 'weights']);
  for (const name of ['run', 'weights']) expect(lstatSync(at(`links/${name}`)).isSymbolicLink()).toBe(true);
  expect(hasWeights(at('real/weights'))).toBe(true);
  expect(statSync(at('real/weights')).mode & 0o777).toBe(0o600);
  // The last one is damaged, so the one beside it is read.
  writeFileSync(at('real/run'), 'damaged');
  const again = await wgrad('train --resume @links/run --steps 46');
  expect(again.err).toMatch(/Reading .*run\.previous, the previous checkpoint/);
  expect(again.status).toBe(0);
});

test('a name that leaves no room for others', async () => {
  const name = at('n'.repeat(250));
  expect((await train(`--checkpoint ${name} --checkpoint-every 10`)).status).toBe(0);
  writeFileSync(name, 'damaged');
  expect(await wgrad(`train --resume ${name} --steps 41`)).toMatchObject({ status: 0 });
  expect((await train(`--save ${name}`)).status).toBe(0);
  expect(hasWeights(name)).toBe(true);
});

test('weights are written into a pipe, checkpoints and tuning results are not', async () => {
  pipeIn(folder);
  const [{ status, err }, piped] = await Promise.all([train('--save @pipe'), readFile(at('pipe'))]);
  expect(status, err).toBe(0);
  expect(readSafetensors('piped', Uint8Array.from(piped)).tensors.size).toBeGreaterThan(0);
  writeFileSync(at('piped.safetensors'), piped);
  const exporting = wgrad('export --weights @piped.safetensors --out @pipe');
  const [exported] = await Promise.all([exporting, readFile(at('pipe'))]);
  expect(exported).toMatchObject({ status: 0, err: '' });
  // The model would lie beside a file.
  expect(await readdir(folder)).not.toContain('pipe.json');
  for (const option of ['--checkpoint', '--find-db']) {
    const refused = await train(`${option} @pipe`);
    expect(refused).toMatchObject({ status: 2, out: '' });
    expect(refused.err).toContain('it is a pipe, which cannot be replaced and read again');
  }
  expect(lstatSync(at('pipe')).isFIFO()).toBe(true);
});

test('checkpoints on a full disk: the weights are saved, and the failure is reported after them', async () => {
  const { status, out, err } = await filled('run', '--checkpoint @run --save @saved.safetensors');
  expect(status).toBe(1);
  expect(err).toMatch(/not done: the checkpoint could not be written: EISDIR/);
  expect(linesOf(out).at(-1)).toMatchObject({ final: true, steps: 40 });
  expect(hasWeights(at('saved.safetensors'))).toBe(true);
});

test('weights on a full disk: the old file and the checkpoint are there', async () => {
  writeFileSync(at('old.safetensors'), 'old');
  const { status, err } = await filled('old.safetensors', '--save @old.safetensors --checkpoint @kept');
  expect(status).toBe(1);
  expect(err).toMatch(/not done: .*old\.safetensors could not be written: EISDIR/);
  expect(readFileSync(at('old.safetensors'), 'utf8')).toBe('old');
  const resumed = await wgrad('train --resume @kept --save @later.safetensors');
  expect(resumed.status).toBe(0);
  expect(hasWeights(at('later.safetensors'))).toBe(true);
});

test('an interrupted run writes a checkpoint and ends; it resumes at the next step', async () => {
  const options = '--checkpoint @stopped --save @unfinished.safetensors';
  const ended = await interrupted(`${TRAIN} --steps 100000 ${options}`, (out) => out.split('\n').length > 30);
  expect(ended.status).toBe(1);
  const [, step] = /Stopped at step (\d+)\. Resume with --resume .*stopped\./.exec(ended.err) ?? [];
  expect(linesOf(ended.out).at(-1)).toMatchObject({ step: Number(step) });
  const resumed = await wgrad(`train --resume @stopped --steps ${Number(step) + 1}`);
  expect(linesOf(resumed.out)[0]).toMatchObject({ step: Number(step) + 1 });
  expect(await readdir(folder)).not.toContain('unfinished.safetensors');
});
