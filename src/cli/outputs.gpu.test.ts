/** Files that `train` writes: they are checked before training, and what cannot be written does not take the others along. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { OWNER } from '../node/owner.ts';
import { readSafetensors } from '../data/formats/safetensors.ts';
import { interrupted, linesOf, wgrad } from './testing/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'wgrad-outputs-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

const TRAIN = ['train', '--model', 'softmax_regression', '--dataset', 'digits', '--batch-size', '16'];
/** Until its first checkpoint is due, something has happened to the disk. */
const train = (...words: string[]) => wgrad(...TRAIN, '--steps', '40', ...words);

/** What a file that cannot be written does: stands in for a full disk. */
const fill = (path: string) => mkdirSync(`${path}.${OWNER}.part`);

/** Trains, and fills the disk for a file as soon as the first step is done. */
const filled = (path: string, ...words: string[]) => {
  let isFull = false;
  return interrupted([...TRAIN, '--steps', '40', ...words], (out) => {
    if (out !== '' && !isFull) {
      isFull = true;
      fill(path);
    }
    return false;
  });
};

const hasWeights = (path: string) => readSafetensors(path, readFileSync(path)).tensors.size > 0;

test.each(['--save', '--save-folded', '--checkpoint'])(
  '%s to where nothing can be written',
  async (option) => {
    const others = option === '--save' ? [] : ['--save', at('other.safetensors')];
    const { status, out, err } = await train(option, at('none/file'), ...others);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(
      new RegExp(`${option}: .*none/file cannot be written: there is no folder .*none. Create it`),
    );
  },
);

test('two outputs under one name', async () => {
  const { status, out, err } = await train(
    '--save',
    at('same'),
    '--checkpoint',
    `${folder}/../${folder.split('/').at(-1)}/same`,
  );
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toMatch(
    /--save and --checkpoint name the same file|--checkpoint and --save name the same file/,
  );
});

test('checkpoints on a full disk: the weights are saved, and the failure is reported after them', async () => {
  const { status, out, err } = await filled(
    at('run'),
    '--checkpoint',
    at('run'),
    '--save',
    at('saved.safetensors'),
  );
  expect(status).toBe(1);
  expect(err).toMatch(/not done: the checkpoint could not be written: EISDIR/);
  expect(linesOf(out).at(-1)).toMatchObject({ final: true, steps: 40 });
  expect(hasWeights(at('saved.safetensors'))).toBe(true);
});

test('weights on a full disk: the old file and the checkpoint are there', async () => {
  writeFileSync(at('old.safetensors'), 'old');
  const options = ['--save', at('old.safetensors'), '--checkpoint', at('kept')];
  const { status, err } = await filled(at('old.safetensors'), ...options);
  expect(status).toBe(1);
  expect(err).toMatch(/not done: .*old\.safetensors could not be written: EISDIR/);
  expect(readFileSync(at('old.safetensors'), 'utf8')).toBe('old');
  const resumed = await wgrad('train', '--resume', at('kept'), '--save', at('later.safetensors'));
  expect(resumed.status).toBe(0);
  expect(hasWeights(at('later.safetensors'))).toBe(true);
});

test('an interrupted run writes a checkpoint and ends; it resumes at the next step', async () => {
  const options = ['--checkpoint', at('stopped'), '--save', at('unfinished.safetensors')];
  const words = [...TRAIN, '--steps', '100000', ...options];
  const ended = await interrupted(words, (out) => out.split('\n').length > 30);
  expect(ended.status).toBe(1);
  const [, step] = /Stopped at step (\d+)\. Resume with --resume .*stopped\./.exec(ended.err) ?? [];
  expect(linesOf(ended.out).at(-1)).toMatchObject({ step: Number(step) });
  const resumed = await wgrad('train', '--resume', at('stopped'), '--steps', String(Number(step) + 1));
  expect(linesOf(resumed.out)[0]).toMatchObject({ step: Number(step) + 1 });
  expect(await readdir(folder)).not.toContain('unfinished.safetensors');
});
