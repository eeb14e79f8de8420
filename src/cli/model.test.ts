import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { models } from '../models/index.ts';
import { readModel } from './model.ts';
import { linesOf, testFolder } from './testing/program.ts';

const { at, run: wgrad } = testFolder();

async function run(line: string) {
  const { status, err, out } = await wgrad(line);
  return { status, err, lines: linesOf<unknown>(out) };
}

test('all models are listed, written as files, and read from there', async () => {
  const { status, lines } = await run('models --out-dir @');
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
    file: at('resnet20.json'),
  });
  for (const model of models.all()) expect(await readModel(at(`${model.name}.json`))).toEqual(model);
});

test('an edited file', async () => {
  const path = at('mine.json');
  const text = readFileSync(at('lenet5.json'), 'utf8');
  writeFileSync(path, text.replace('"outChannels": 6', '"outChannels": 8'));
  const { lines } = await run('models @mine.json');
  expect(lines).toMatchObject([{ name: 'lenet5', parameters: 62_558 }]);
  writeFileSync(path, text.replace('"outChannels": 6', '"outChannels": -6'));
  for (const line of [
    'models @mine.json',
    'train --model @mine.json --dataset digits --steps 1',
    'find --model @mine.json',
  ]) {
    const { status, err } = await run(line);
    expect(status, line).not.toBe(0);
    expect(err).toMatch(
      /mine.json: layers\[0\].attributes.outChannels: expected a whole number of at least 1, found -6/,
    );
  }
});

test('a file far too large for a model is not read', async () => {
  const path = at('huge.json');
  writeFileSync(path, '');
  truncateSync(path, 2 ** 30);
  await expect(readModel(path)).rejects.toMatchObject({
    code: 'bad-file',
    message: `${path}: expected at most 4194304 bytes, found 1073741824`,
  });
});

test('a name that is neither a model nor a file', async () => {
  await expect(readModel('resnet21')).rejects.toThrow(/no model named "resnet21"/);
  const { status, err } = await run('models @none.json');
  expect(status).toBe(2);
  expect(err).toMatch(/^wgrad models: none.json: file not found/);
});
