/** `export` and `import`: a network leaves and comes back as it was. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSafetensors, writeSafetensors } from '../data/formats/safetensors.ts';
import { typicalParameters } from '../engine/typical-parameters.ts';
import { weightsMetadata } from '../models/file/weights.ts';
import { models } from '../models/index.ts';
import { linesOf, wgrad } from './testing/program.ts';

let root: string;
const at = (name: string) => join(root, name);
const model = models.get('resnet8');

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'wgrad-exchange-'));
  const info = { model, normalisation: { mean: [0.5, 0.5, 0.5], std: [0.25, 0.25, 0.25] } };
  const parameters = typicalParameters(model.layers, [1, ...model.input]);
  writeFileSync(at('w.safetensors'), writeSafetensors(parameters, weightsMetadata(info)));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('to ONNX and back: the same model, weights and normalisation', async () => {
  const exported = await wgrad(
    'export',
    '--weights',
    at('w.safetensors'),
    '--to',
    'onnx',
    '--out',
    at('net.onnx'),
  );
  expect(exported).toMatchObject({ status: 0, err: '' });
  expect(linesOf(exported.out)).toEqual([{ format: 'onnx', files: [at('net.onnx')], layers_folded: 0 }]);
  const imported = await wgrad('import', at('net.onnx'), '--out', at('back.safetensors'));
  expect(imported.status).toBe(0);
  expect(linesOf(imported.out).at(-1)).toMatchObject({ final: true, model: at('back.json') });
  const [there, back] = ['w', 'back'].map((name) =>
    readSafetensors(name, new Uint8Array(readFileSync(at(`${name}.safetensors`)))),
  );
  expect(back.metadata).toEqual(there.metadata);
  // Counts of batches are not part of a network that only answers.
  for (const [name, { data }] of there.tensors)
    if (!name.endsWith('num_batches_tracked')) expect(back.tensors.get(name)?.data, name).toEqual(data);
});

test('to TensorFlow.js and back; weights alone find their model', async () => {
  const exported = await wgrad(
    'export',
    '--weights',
    at('w.safetensors'),
    '--to',
    'tfjs',
    '--out',
    at('tfjs'),
  );
  expect(exported).toMatchObject({ status: 0, err: '' });
  expect(readdirSync(at('tfjs')).sort()).toEqual(['group1-shard1of1.bin', 'model.json']);
  const imported = await wgrad('import', at('tfjs/model.json'), '--out', at('from-tfjs.safetensors'));
  expect(imported.status).toBe(0);
  const read = (name: string) => readSafetensors(name, new Uint8Array(readFileSync(at(name))));
  const there = read('w.safetensors');
  expect(read('from-tfjs.safetensors').metadata).toEqual(there.metadata);
  writeFileSync(at('alone.safetensors'), writeSafetensors(there.tensors));
  const alone = await wgrad('import', at('alone.safetensors'), '--out', at('again.safetensors'));
  expect(alone.status).toBe(0);
  expect(linesOf(alone.out)[0]).toEqual({
    tensor: 'conv1.weight',
    shape: [16, 3, 3, 3],
    found: [16, 3, 3, 3],
    status: 'taken',
  });
  expect(read('again.safetensors').tensors).toEqual(there.tensors);
});

test('folded, and as Keras source in a folder', async () => {
  const to = (...words: string[]) => wgrad('export', '--weights', at('w.safetensors'), ...words);
  const folded = await to('--to', 'onnx', '--fold', '--out', at('folded.onnx'));
  expect(linesOf(folded.out)[0]).toMatchObject({ layers_folded: 9 });
  expect((await wgrad('import', at('folded.onnx'), '--out', at('folded.safetensors'))).out).not.toContain(
    'batch_norm',
  );
  expect((await to('--to', 'keras', '--out', at('keras'))).status).toBe(0);
  expect(readdirSync(at('keras')).sort()).toEqual(['load_weights.py', 'model.py', 'resnet8.safetensors']);
});

test('a checkpoint instead of weights; what is neither is refused', async () => {
  const trained = await wgrad(
    ...['train', '--model', 'softmax_regression', '--dataset', 'digits', '--steps', '3', '--seed', '2'],
    ...['--checkpoint', at('run'), '--save', at('saved.safetensors')],
  );
  expect(trained.status).toBe(0);
  const exported = await wgrad('export', '--checkpoint', at('run'), '--out', at('run.safetensors'));
  expect(exported).toMatchObject({ status: 0, err: '' });
  const [saved, found] = ['saved', 'run'].map((name) =>
    readSafetensors(name, new Uint8Array(readFileSync(at(`${name}.safetensors`)))),
  );
  expect(found.tensors).toEqual(saved.tensors);
  expect(found.metadata).toEqual(saved.metadata);
  expect((await wgrad('export', '--out', at('x'))).err).toContain(
    'expected either --weights or --checkpoint',
  );
  writeFileSync(at('broken.onnx'), 'no');
  const broken = await wgrad('import', at('broken.onnx'), '--out', at('x.safetensors'));
  expect(broken).toMatchObject({ status: 2, out: '' });
  expect(broken.err).toContain('broken.onnx: not an ONNX file');
});
