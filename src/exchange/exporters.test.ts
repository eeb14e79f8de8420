/** What is exported can be opened here again. README names the exceptions. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { writeZip } from '../data/formats/zip-write.ts';
import { inferShapes, layoutParameters } from '../engine/network.ts';
import { flatten, type StateDict } from '../engine/parameters.ts';
import { models } from '../models/index.ts';
import type { Trained } from '../models/file/weights.ts';
import type { Model } from '../models/model.ts';
import { completed } from '../run/settings/rules.ts';
import type { Checkpoint } from '../train/checkpoint.ts';
import { newHistory } from '../train/history.ts';
import { EXPORTERS, type Exporter, type Files } from './exporters.ts';
import { importFiles } from './files.ts';
import { writePt, type Saved } from './pytorch/write.ts';
import { trained as typical } from './testing/answers.ts';
import { ODD_MODELS } from './testing/odd-models.ts';

/** With other weights than initial ones. */
function trained(model: Model): Trained {
  const { parameters, ...others } = typical(model);
  const later = [...parameters].map(
    ([name, { shape, data }]) => [name, { shape, data: data.map((value) => value + 0.5) }] as const,
  );
  // The project's reader of this data set looks like the cell that holds the notebook's files.
  const info = model.name === 'lenet5' ? { ...others.info, dataset: 'mnist' } : others.info;
  return { model, info, parameters: new Map(later) };
}

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const [, EXCEPTIONS] = /All but (.+) can be opened here again/.exec(README) ?? [];

const odd = (name: string): Model => ODD_MODELS.find((model) => model.name === name) as Model;
/** A model of wgrad, and two that names and shapes of weights do not determine. */
const MODELS = [models.get('lenet5'), models.get('resnet8'), odd('activations'), odd('depthwise')];

const given = (path: string, bytes: Uint8Array) => ({
  path,
  bytes: bytes.length,
  read: () => Promise.resolve(bytes),
});
const chosen = (files: Files) => [...files].map(([path, bytes]) => given(path, bytes));
const zipped = async (files: Files, name = 'renamed.zip', folder = '') => [
  given(name, await writeZip([...files].map(([path, bytes]) => ({ path: folder + path, bytes })))),
];
const write = (name: string, original: Trained, context = {}): Promise<Files> =>
  (EXPORTERS as Record<string, Exporter>)[name].write(original, 'net', context);

/** Without the counts of batches, on which no answer depends: formats of networks that only answer lack them. */
const values = (parameters: StateDict) =>
  new Map(
    [...parameters]
      .filter(([name]) => !name.endsWith('num_batches_tracked'))
      .map(([name, { shape, data }]) => [
        name,
        { shape, data: createHash('sha256').update(data).digest('hex') },
      ]),
  );

async function expectOpens(original: Trained, files: ReturnType<typeof chosen>, notes: string[] = []) {
  const { network } = await importFiles(files, {});
  expect(network.model).toEqual(original.model);
  expect(network.info).toEqual(original.info);
  expect(values(network.parameters)).toEqual(values(original.parameters));
  expect(network.notes.filter((note) => !note.startsWith('The weights are those of “'))).toEqual(notes);
  expect(network.matches).toBe(undefined);
}

test('README names what does not open again', async () => {
  const original = trained(MODELS[0]);
  const refused: string[] = [];
  for (const name of Object.keys(EXPORTERS))
    await importFiles(chosen(await write(name, original)), {}).catch(() => refused.push(name.toUpperCase()));
  expect(refused.join(' and ')).toBe(EXCEPTIONS);
});

describe.each(Object.keys(EXPORTERS).filter((name) => name.toUpperCase() !== EXCEPTIONS))('%s', (name) => {
  test.each(MODELS)('$name: the same model and the same weights, to the bit', async (model) => {
    const original = trained(model);
    const files = await write(name, original).catch((error: Error) => error.message);
    // "depthwise" has dilations, which TensorFlow.js's layers lack.
    if (typeof files === 'string') return expect([name, model.name]).toEqual(['tfjs', 'depthwise']);
    await expectOpens(original, chosen(files));
    await expectOpens(original, await zipped(files));
    // Unpacked, and packed again with its folder, by a program that gives it no ending.
    await expectOpens(original, await zipped(files, 'upload', 'some folder/'));
  });
});

/** A run that evaluates averages of its weights, ten steps old. */
function averagedRun({ model, parameters }: Trained): Checkpoint {
  const layout = layoutParameters(inferShapes(model.layers, [1, ...model.input]));
  const average = flatten(layout, parameters);
  return {
    step: 10,
    epoch: 0,
    config: { ...completed({ ema: 0.9, optimizer: 'sgd' }), model, lastStep: 20 },
    dataset: { name: 'test', ...trained(model).info.normalisation },
    snapshot: {
      parameters: average['parameters'].map((value) => value + 1),
      buffers: average['buffers'].map((value) => value + 1),
      average_parameters: average['parameters'],
      average_buffers: average['buffers'],
    },
    history: newHistory(),
  } as unknown as Checkpoint;
}

test.each(['pytorch', 'notebook'])('%s: of a run with averaged weights, those', async (name) => {
  const original = trained(MODELS[1]);
  await expectOpens(original, await zipped(await write(name, original, { run: averagedRun(original) })));
});

/** What train.py saves, with other weights. */
async function saved({ parameters }: Trained): Promise<[Trained['parameters'], Uint8Array<ArrayBuffer>]> {
  const later = new Map(
    [...parameters].map(([key, { shape, data }]) => [key, { shape, data: data.map((value) => value + 1) }]),
  );
  const state = new Map<string, Saved>([
    ['step', 12],
    ['model', later],
  ]);
  return [later, await writePt(state, 'checkpoint')];
}

test.each(['pytorch', 'notebook'])(
  '%s that trained on opens with what it saved, and its curve',
  async (name) => {
    const original = trained(MODELS[1]);
    const [parameters, checkpoint] = await saved(original);
    const log = new TextEncoder().encode('{"step": 11, "loss": 2}\n{"step": 12, "loss": 1}\n');
    const files = new Map([
      ...(await write(name, original)),
      ['checkpoint.pt', checkpoint],
      ['log.jsonl', log],
    ]);
    const notes = [
      'The weights are those that the project saved, checkpoint.pt; it began with those of start.pt.',
    ];
    await expectOpens({ ...original, parameters }, await zipped(files), notes);
    await expectOpens({ ...original, parameters }, chosen(files), notes);
    expect((await importFiles(chosen(files), {})).log?.rows.map(({ loss }) => loss)).toEqual([2, 1]);
  },
);

test('the config beside weights that were saved without any says what they are', async () => {
  const original = trained(odd('depthwise'));
  const files = await write('pytorch', original);
  const [parameters, checkpoint] = await saved(original);
  const config = files.get('config.json') as Uint8Array;
  await expectOpens({ ...original, parameters }, [
    given('checkpoint.pt', checkpoint),
    given('config.json', config),
  ]);
  const beside = (name: string) => Promise.resolve(files.get(name));
  const { network } = await importFiles([given('checkpoint.pt', checkpoint)], { beside });
  expect(network).toMatchObject({ model: original.model, info: original.info });
});

test('a notebook whose weights lie beside it opens with them; alone, with initial ones, and says so', async () => {
  const original = trained(MODELS[0]);
  const data = new Map([['x.bin', new Uint8Array(12e6)]]);
  const files = await write('notebook', original, { data });
  expect([...files.keys()]).toEqual(['net.ipynb', 'data/x.bin']);
  await expectOpens(original, chosen(files));
  const text = new TextDecoder().decode(files.get('net.ipynb'));
  const without = text.replace(/^.*"start\.pt\\": .*\n/m, '');
  expect(without.length).toBeLessThan(text.length);
  const { network } = await importFiles([given('net.ipynb', new TextEncoder().encode(without))], {});
  expect(network.model).toEqual(original.model);
  expect(network.notes).toEqual([
    'There are no weights with it: these are initial weights, which have learned nothing.',
  ]);
  expect(values(network.parameters)).not.toEqual(values(original.parameters));
});

test('what holds no network is refused with what was found and expected', async () => {
  const files = new Map(
    ['a.py', 'b.md', 'c.csv', 'd', 'e', 'f', 'requirements.txt'].map((name) => [name, new Uint8Array(9)]),
  );
  await expect(importFiles(await zipped(files, 'code.zip'), {})).rejects.toMatchObject({
    code: 'unsupported',
    message: expect.stringMatching(
      /^code\.zip: expected a file of ONNX, .*, or a folder or notebook that wgrad exported; found a\.py, b\.md, c\.csv, d, e and 2 more$/,
    ) as string,
  });
  const notebook = (cells: unknown) => [
    given('a.ipynb', new TextEncoder().encode(JSON.stringify({ cells }))),
  ];
  for (const [cells, message] of [
    [[], 'FILES = {...}"; found 0 of those among 0 cells'],
    [
      [{ source: ['import base64\n', '\nFILES = {\n', '    "start.pt": "§",\n', '}\n'] }],
      'expected start.pt in base64',
    ],
    [[{ source: 'import base64\n\nFILES = {\n    "start.pt": 5,\n}\n' }], 'expected start.pt in base64'],
    [
      [{ source: 'import base64\n\nFILES = {\n    start,\n}\n' }, null, 5],
      'a.ipynb is no notebook, or damaged: ',
    ],
    [{}, 'expected "cells"'],
  ] as const)
    await expect(importFiles(notebook(cells), {})).rejects.toThrow(message);
});
