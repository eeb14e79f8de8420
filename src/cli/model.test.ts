import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { models } from '../models/index.ts';
import { readModel } from './model.ts';
import { linesOf, wgrad } from './testing/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'wgrad-models-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function run(...words: string[]) {
  const { status, err, out } = await wgrad(...words);
  return { status, err, lines: linesOf<unknown>(out) };
}

test('all models are listed, written as files, and read from there', async () => {
  const { status, lines } = await run('models', '--out-dir', folder);
  expect(status).toBe(0);
  expect(lines).toHaveLength(models.names().length);
  expect(lines).toContainEqual({
    name: 'resnet20',
    title: 'ResNet-20',
    family: 'ResNet',
    input: [3, 32, 32],
    classes: 10,
    layers: models.get('resnet20').layers.length,
    parameters: 272_474,
    file: join(folder, 'resnet20.json'),
  });
  for (const model of models.all())
    expect(await readModel(join(folder, `${model.name}.json`))).toEqual(model);
});

test('an edited file', async () => {
  const path = join(folder, 'mine.json');
  const text = readFileSync(join(folder, 'lenet5.json'), 'utf8');
  writeFileSync(path, text.replace('"outChannels": 6', '"outChannels": 8'));
  const { lines } = await run('models', path);
  expect(lines).toMatchObject([{ name: 'lenet5', parameters: 62_558 }]);
  writeFileSync(path, text.replace('"outChannels": 6', '"outChannels": -6'));
  for (const words of [
    ['models', path],
    ['train', '--model', path, '--dataset', 'digits', '--steps', '1'],
    ['find', '--model', path],
  ]) {
    const { status, err } = await run(...words);
    expect(status, words[0]).not.toBe(0);
    expect(err).toMatch(
      /mine.json: layers\[0\].attributes.outChannels: expected a whole number of at least 1, found -6/,
    );
  }
});

test('a file far too large for a model is not read', async () => {
  const path = join(folder, 'huge.json');
  writeFileSync(path, '');
  truncateSync(path, 2 ** 30);
  await expect(readModel(path)).rejects.toMatchObject({
    code: 'bad-file',
    message: `${path}: expected at most 4194304 bytes, found 1073741824`,
  });
});

test('a name that is neither a model nor a file', async () => {
  await expect(readModel('resnet21')).rejects.toThrow(/no model named "resnet21"/);
  const { status, err } = await run('models', join(folder, 'none.json'));
  expect(status).toBe(2);
  expect(err).toMatch(/^wgrad models: none.json: file not found/);
});
