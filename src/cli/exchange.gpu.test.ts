/** `export` and `import`: a network leaves and comes back as it was. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { PNG } from 'pngjs';
import { beforeAll, expect, test } from 'vitest';
import { readSafetensors, writeSafetensors } from '../data/formats/safetensors.ts';
import { typicalParameters } from '../engine/typical-parameters.ts';
import { weightsMetadata } from '../models/file/weights.ts';
import { models } from '../models/index.ts';
import { weightsPath } from './weights.ts';
import { linesOf, testFolder } from './testing/program.ts';

const { at, run: wgrad } = testFolder();
const model = models.get('resnet8');

beforeAll(() => {
  const info = { model, normalisation: { mean: [0.5, 0.5, 0.5], std: [0.25, 0.25, 0.25] } };
  const parameters = typicalParameters(model.layers, [1, ...model.input]);
  writeFileSync(at('w.safetensors'), writeSafetensors(parameters, weightsMetadata(info)));
});

test('to ONNX and back: the same model, weights and normalisation', async () => {
  const exported = await wgrad('export --weights @w.safetensors --to onnx --out @net.onnx');
  expect(exported).toMatchObject({ status: 0, err: '' });
  expect(linesOf(exported.out)).toEqual([{ format: 'onnx', files: [at('net.onnx')], layers_folded: 0 }]);
  const imported = await wgrad('import @net.onnx --out @back.safetensors');
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
  const exported = await wgrad('export --weights @w.safetensors --to tfjs --out @tfjs');
  expect(exported).toMatchObject({ status: 0, err: '' });
  expect(readdirSync(at('tfjs')).sort()).toEqual(['group1-shard1of1.bin', 'model.json']);
  const imported = await wgrad('import @tfjs/model.json --out @from-tfjs.safetensors');
  expect(imported.status).toBe(0);
  const read = (name: string) => readSafetensors(name, new Uint8Array(readFileSync(at(name))));
  const there = read('w.safetensors');
  expect(read('from-tfjs.safetensors').metadata).toEqual(there.metadata);
  writeFileSync(at('alone.safetensors'), writeSafetensors(there.tensors));
  const alone = await wgrad('import @alone.safetensors --out @again.safetensors');
  expect(alone.status).toBe(0);
  expect(linesOf(alone.out)[0]).toEqual({
    tensor: 'conv1.weight',
    shape: [16, 3, 3, 3],
    found: [16, 3, 3, 3],
    status: 'taken',
  });
  expect(read('again.safetensors').tensors).toEqual(there.tensors);
});

test('weights of no model here: inferred, shown, corrected, and checked on a data set', async () => {
  const names = { conv1: 'c1', conv2: 'c3', fc1: 'c5', fc2: 'f6', fc3: 'out' };
  const { tensors } = readSafetensors('w', new Uint8Array(readFileSync(weightsPath('lenet5-mnist'))));
  const renamed = [...tensors].map(([name, tensor]) => {
    const [layer, own] = name.split('.');
    return [`${names[layer as keyof typeof names]}.${own}`, tensor] as const;
  });
  writeFileSync(at('le.safetensors'), writeSafetensors(new Map(renamed)));
  const read = async (words: string) => {
    const imported = await wgrad(
      `import @le.safetensors --out @le-out.safetensors --check digits --engine cpu ${words}`,
    );
    expect(imported.status, imported.err).toBe(0);
    return linesOf(imported.out);
  };
  const normalisation = '--assume normalisation=0.1307/0.3081';
  const lines = await read(normalisation);
  expect(lines.at(-2)).toMatchObject({ assumed: { input: '1x28x28', paddings: '2,0', activation: 'relu' } });
  const right = lines.at(-1);
  const direct = await wgrad('predict --weights lenet5-mnist --dataset digits --summary --engine cpu');
  expect(right).toMatchObject({ accuracy: linesOf(direct.out).at(-1)?.['accuracy'], count: 2000 });
  const wrong = (await read(`${normalisation} --assume activation=tanh`)).at(-1);
  expect(wrong?.['accuracy']).toBeLessThan(right?.['accuracy'] as number);
  const refused = await wgrad('import @le.safetensors --out @no.safetensors --assume pools=c9');
  expect(refused).toMatchObject({ status: 2, out: '' });
  expect(refused.err).toContain('pools: there is no convolution “c9”');
  const both = await wgrad('import @le.safetensors --out @no.safetensors --assume pools=c1 --model lenet5');
  expect(both.err).toContain('not together with --model');
});

test('folded, and as Keras source in a folder', async () => {
  const to = (words: string) => wgrad(`export --weights @w.safetensors ${words}`);
  const folded = await to('--to onnx --fold --out @folded.onnx');
  expect(linesOf(folded.out)[0]).toMatchObject({ layers_folded: 9 });
  expect((await wgrad('import @folded.onnx --out @folded.safetensors')).out).not.toContain('batch_norm');
  expect((await to('--to keras --out @keras')).status).toBe(0);
  expect(readdirSync(at('keras')).sort()).toEqual(['load_weights.py', 'model.py', 'resnet8.safetensors']);
});

test('what an export cannot do with an option or a path is said, with status 2', async () => {
  const refused = async (words: string) => {
    const { status, out, err } = await wgrad(`export ${words}`);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    return err;
  };
  const weights = '--weights @w.safetensors';
  for (const to of ['safetensors', 'keras', 'pytorch', 'html'])
    expect(await refused(`${weights} --to ${to} --raw-input --out @raw`)).toContain(
      '--raw-input: of the formats, only onnx and tfjs contain the normalisation',
    );
  for (const to of ['tfjs', 'keras', 'pytorch'])
    expect(await refused(`${weights} --to ${to} --out @w.safetensors`)).toMatch(
      /--out: the folder .*w\.safetensors cannot be made: EEXIST.*Choose another path/,
    );
  expect(await refused('--checkpoint @none --out @x')).toContain('there is no checkpoint');
  const other = await refused(`${weights} --model lenet5 --out @x`);
  expect(other).toMatch(
    /the model has no parameter (".*", ){2}".*" and \d+ more of the file\. Give the model/,
  );
  expect(other.length).toBeLessThan(600);
  const imported = await wgrad('import @w.safetensors --out @none/x.safetensors');
  expect(imported).toMatchObject({ status: 2, out: '' });
  expect(imported.err).toContain('there is no folder');
});

test('a PyTorch project over one that has trained: its checkpoint is named', async () => {
  const words = 'export --weights @w.safetensors --to pytorch --out @project';
  expect((await wgrad(words)).err).not.toContain('checkpoint.pt');
  writeFileSync(at('project/checkpoint.pt'), '');
  expect((await wgrad(words)).err).toMatch(/checkpoint\.pt is of an earlier export: train\.py resumes/);
});

test('a checkpoint of own images keeps the names of their classes', async () => {
  const names = ['<b>&"', 'b`${1}`', 'cats'];
  for (const [k, name] of names.entries()) {
    mkdirSync(at(`pictures/${name}`), { recursive: true });
    for (let i = 0; i < 5; i++) {
      const picture = new PNG({ width: 8, height: 8 });
      picture.data.fill(60 * k + i);
      writeFileSync(at(`pictures/${name}/${i}.png`), PNG.sync.write(picture));
    }
  }
  const trained = await wgrad(
    `train --dataset own --data-dir @pictures --model softmax_regression --batch-size 4 --steps 2
     --engine cpu --checkpoint @own-run`,
  );
  expect(trained.status, trained.err).toBe(0);
  const exported = await wgrad('export --checkpoint @own-run --to html --out @o.html');
  expect(exported).toMatchObject({ status: 0, err: '' });
  const page = readFileSync(at('o.html'), 'utf8');
  const [, json] = /id="network">(.*)<\/script>/.exec(page) ?? [];
  expect((JSON.parse(json) as { classes: string[] }).classes).toEqual(names);
  expect(page).toContain('Trained on own images.');
  const asWeights = await wgrad('export --weights @own-run --to html --out @x.html');
  expect(asWeights.err).toContain('It is a checkpoint: save its weights by export --checkpoint');
});

test('a checkpoint instead of weights; what is neither is refused', async () => {
  const trained = await wgrad(
    `train --model softmax_regression --dataset digits --steps 3 --seed 2
     --checkpoint @run --save @saved.safetensors`,
  );
  expect(trained.status).toBe(0);
  const exported = await wgrad('export --checkpoint @run --out @run.safetensors');
  expect(exported).toMatchObject({ status: 0, err: '' });
  const [saved, found] = ['saved', 'run'].map((name) =>
    readSafetensors(name, new Uint8Array(readFileSync(at(`${name}.safetensors`)))),
  );
  expect(found.tensors).toEqual(saved.tensors);
  expect(found.metadata).toEqual(saved.metadata);
  expect((await wgrad('export --out @x')).err).toContain('expected either --weights or --checkpoint');
  writeFileSync(at('broken.onnx'), 'no');
  const broken = await wgrad('import @broken.onnx --out @x.safetensors');
  expect(broken).toMatchObject({ status: 2, out: '' });
  expect(broken.err).toContain('broken.onnx: not an ONNX file');
});
