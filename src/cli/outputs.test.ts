/** What commands refuse to write, before they compute anything. */
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { writeSafetensors } from '../data/formats/safetensors.ts';
import { typicalParameters } from '../engine/typical-parameters.ts';
import { weightsMetadata } from '../models/file/weights.ts';
import { toJson } from '../models/file/write.ts';
import { models } from '../models/index.ts';
import { deviceIn } from '../node/testing.ts';
import { wgrad } from './testing/program.ts';

let folder: string;
const at = (name: string) => join(folder, name);
/** Words such as "@w" are the paths of files there. */
const run = (words: string) =>
  wgrad(
    ...words
      .split(' ')
      .map((word) => (word === '@null' ? deviceIn(folder) : word.replace(/^@/, `${folder}/`))),
  );

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wgrad-'));
  vi.stubEnv('XDG_CACHE_HOME', at('cache'));
  mkdirSync(at('real'));
  mkdirSync(at('other'));
  for (const name of ['one', 'two']) symlinkSync('real/file', at(name));
  symlinkSync('real', at('way'));
  writeFileSync(at('hard'), 'old');
  linkSync(at('hard'), at('linked'));
  const model = models.get('softmax_regression');
  const parameters = typicalParameters(model.layers, [1, ...model.input]);
  for (const name of ['w.safetensors', 'model.safetensors'])
    writeFileSync(at(name), writeSafetensors(parameters, weightsMetadata({ model })));
  writeFileSync(at('model.json'), toJson(model));
  const [x, w] = [
    [1, 1, 4, 4],
    [1, 1, 3, 3],
  ].map((shape) => ({ shape, data: new Float32Array(shape.reduce((a, b) => a * b)) }));
  const tensors = new Map([
    ['x', x],
    ['w', w],
  ]);
  for (const name of ['case.safetensors', 'other/case.safetensors', 'case.fprop.direct.safetensors'])
    writeFileSync(at(name), writeSafetensors(tensors));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Every file, by its path, with what is in it. */
const contents = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'latin1')]);

async function expectRefused(words: string, message: RegExp): Promise<void> {
  const before = contents();
  const { status, out, err } = await run(words);
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toMatch(message);
  expect(contents()).toEqual(before);
}

const TRAIN = 'train --model resnet8 --dataset digits --steps 1 --engine cpu';

describe('two outputs that are one file', () => {
  const folderName = () => basename(folder);
  test.each([
    ['--save @a --save-folded @./a'],
    ['--save @a --checkpoint @../FOLDER/a'],
    ['--save @db.json --find-db @db.json'],
    ['--save @db.json.lock --find-db @db.json'],
    ['--save @a.previous --checkpoint @a'],
    ['--save @real/file.previous --checkpoint @one'],
    ['--save @m.json --save-folded @m.safetensors'],
    ['--checkpoint @m.json --save-folded @m'],
    ['--save @one --checkpoint @two'],
    ['--save @one --checkpoint @real/file'],
    ['--save @way/a --checkpoint @real/a'],
    ['--save @hard --checkpoint @linked'],
    ['--save @cache/wgrad/find-db.json'],
  ])('train %s', async (words) => {
    mkdirSync(at('cache/wgrad'), { recursive: true });
    await expectRefused(
      `${TRAIN} ${words.replace('FOLDER', folderName())}`,
      /--[a-z-]+ and --[a-z-]+ would both write .*Choose another path/,
    );
  });

  test.each([
    ['bench step --trace @t --find-db @t', /--trace and --find-db would both write/],
    ['export --weights @w.safetensors --out @w.json', /--out would write .*w\.json twice/],
    [
      'conv --direction fprop --case @case.safetensors @other/case.safetensors --out-dir @out',
      /--out-dir would write .* twice/,
    ],
  ])('%s', expectRefused);
});

describe('what is read', () => {
  test.each([
    ['import @model.json --out @model.safetensors', /--out would replace .*model\.json, which FILE reads/],
    ['import @w.safetensors --out @w.safetensors', /--out would replace .*w\.safetensors, which FILE reads/],
    [
      'export --weights @w.safetensors --model @model.json --out @model',
      /would replace .*which --model reads/,
    ],
    ['export --weights @w.safetensors --to html --out @w.safetensors', /which --weights reads/],
    ['export --checkpoint @hard --out @linked', /--out would replace .*linked, which --checkpoint reads/],
    [
      `${TRAIN} --init @w.safetensors --checkpoint @w.safetensors`,
      /--checkpoint would replace .*which --init/,
    ],
    [`${TRAIN} --weights @w.safetensors --checkpoint @w.safetensors`, /which --weights reads/],
    [`${TRAIN} --resume @hard --checkpoint @a --save @linked`, /--save would replace .*which --resume reads/],
    [
      `${TRAIN} --resume @a --checkpoint @b --save @a.previous`,
      /--save would replace .*which --resume reads/,
    ],
    ['train --resume @hard --steps 41 --save @hard', /would replace .*which --resume reads|would both write/],
    ['train --resume @hard --steps 41 --find-db @hard.previous', /which --resume reads|would both write/],
    ['train --model @model.json --dataset digits --steps 1 --save-folded @model', /which --model reads/],
    ['train --dataset own --data-dir @hard --steps 1 --save @hard', /which --data-dir reads/],
    ['bench infer --init @hard --trace @hard', /--trace would replace .*which --init reads/],
    [
      'conv --direction fprop --case @case.safetensors @case.fprop.direct.safetensors --out-dir @',
      /which --case reads/,
    ],
  ])('is not destroyed: %s', async (words, message) => {
    if (words.includes('@a.previous')) writeFileSync(at('a.previous'), 'old');
    await expectRefused(words, message);
  });
});

describe('what is no file', () => {
  test.each([
    [
      `${TRAIN} --save @none/file`,
      /--save: .*none\/file cannot be written: there is no folder .*none. Create it/,
    ],
    [`${TRAIN} --save-folded @none/file`, /--save-folded: .*there is no folder .*none. Create it/],
    [`${TRAIN} --checkpoint @none/file`, /--checkpoint: .*there is no folder .*none. Create it/],
    [`${TRAIN} --checkpoint @real`, /--checkpoint: .*real cannot be written: it is a folder/],
    [`${TRAIN} --find-db @real`, /--find-db: .*real cannot be written: it is a folder/],
    [`${TRAIN} --resume / --checkpoint @a`, /\/: expected a checkpoint, found a folder/],
    [`${TRAIN} --resume /`, /\/: expected a checkpoint, found a folder/],
    [`${TRAIN} --resume @real`, /real: expected a checkpoint, found a folder/],
    [`${TRAIN} --resume @null`, /null: expected a checkpoint, found a device/],
    [`${TRAIN} --resume @none/x`, /there is no checkpoint .*none\/x/],
    [`${TRAIN} --init @real`, /real: expected a file, found a folder/],
    [`${TRAIN} --weights @null`, /null: expected a file, found a device/],
    ['export --checkpoint / --out @a', /\/: expected a checkpoint, found a folder/],
    ['export --weights @real --out @a', /real: expected a file, found a folder/],
    ['import @null --out @a', /null: expected a file, found a device/],
    ['predict --weights @w.safetensors --images @null', /null: expected a file, found a device/],
    ['predict --weights @none --images @none', /none cannot be read: ENOENT/],
    ['conv --case @real --out-dir @out', /real: expected a file, found a folder/],
    ['conv --case @null --out-dir @out', /null: expected a file, found a device/],
    [
      'conv --direction fprop --case @case.safetensors --out-dir @hard',
      /--out-dir: the folder .*hard cannot be made: EEXIST/,
    ],
    ['models lenet5 --out-dir @hard/x', /--out-dir: the folder .*hard\/x cannot be made: ENOTDIR/],
    ['train --model @real.json --dataset digits --steps 1', /real\.json: expected a file, found a folder/],
  ])('%s', async (words, message) => {
    mkdirSync(at('real.json'));
    await expectRefused(words, message);
  });
});

test('a study to be resumed that is a folder', async () => {
  const { status, out, err } = await run('study choosing --small --engine cpu --resume @real');
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toMatch(/real: expected a file, found a folder/);
});
