/** Files that were chosen together, as people have them. */
import { expect, test } from 'vitest';
import { writeSafetensors } from '../data/formats/safetensors.ts';
import { writeZip } from '../data/formats/zip-write.ts';
import { typicalParameters } from '../engine/typical-parameters.ts';
import { toJson } from '../models/file/write.ts';
import type { Model } from '../models/model.ts';
import { importFiles } from './files.ts';
import { toTfjs } from './tfjs/write.ts';

const MODEL: Model = {
  name: 'small',
  title: 'Small',
  description: '',
  input: [3, 8, 8],
  classes: 3,
  layers: [
    { name: 'conv', op: 'conv', attributes: { outChannels: 4, kernelSize: [3, 3] } },
    { name: 'avgpool', op: 'adaptive_avg_pool', attributes: { outputSize: [1, 1] } },
    { name: 'flatten', op: 'flatten' },
    { name: 'fc', op: 'linear', attributes: { outFeatures: 3 } },
  ],
};
const PARAMETERS = typicalParameters(MODEL.layers, [1, ...MODEL.input]);

const bytesOf = (text: string) => new TextEncoder().encode(text);
const given = (path: string, bytes: Uint8Array) => ({
  path,
  bytes: bytes.length,
  read: () => Promise.resolve(bytes),
});

/** The three files of Teachable Machine, without what wgrad says about a model. */
function machine(metadata: unknown): Map<string, Uint8Array<ArrayBuffer>> {
  const files = toTfjs({ model: MODEL, parameters: PARAMETERS, info: {} });
  const text = new TextDecoder().decode(files.get('model.json'));
  const json = { ...(JSON.parse(text) as object), userDefinedMetadata: undefined };
  return new Map([
    ...files,
    ['model.json', bytesOf(JSON.stringify(json))],
    ['metadata.json', bytesOf(JSON.stringify(metadata))],
  ]);
}

const METADATA = {
  tfjsVersion: '1.3.1',
  packageName: '@teachablemachine/image',
  modelName: 'tm-my-image-model',
  labels: ['cat', 'dog', 'no “pet”'],
};

test.each(['metadata first', 'metadata last', 'in an archive'])(
  'Teachable Machine’s export, %s',
  async (how) => {
    const files = [...machine(METADATA)].sort(([a], [b]) => a.localeCompare(b));
    if (how === 'metadata last') files.reverse();
    const chosen =
      how === 'in an archive'
        ? [given('converted_keras.zip', await writeZip(files.map(([path, bytes]) => ({ path, bytes }))))]
        : files.map(([path, bytes]) => given(path, bytes));
    const { file, network } = await importFiles(chosen, {});
    expect(file).toBe('model.json');
    expect(network.model).toMatchObject({ input: [3, 8, 8], classes: 3 });
    expect(network.info).toEqual({
      classes: METADATA.labels,
      normalisation: { mean: [0.5, 0.5, 0.5], std: [0.5, 0.5, 0.5] },
    });
  },
);

test('metadata.json of something else', async () => {
  for (const metadata of [{}, [1], { labels: ['a'] }, { labels: [1, 2, 3] }]) {
    const files = [...machine(metadata)].map(([path, bytes]) => given(path, bytes));
    expect((await importFiles(files, {})).network.info).toEqual({});
  }
});

test('weights with their model beside them, and other JSON files', async () => {
  const { network } = await importFiles(
    [
      given('config.json', bytesOf('{"architectures": ["Net"]}')),
      given('net/w.safetensors', writeSafetensors(PARAMETERS)),
      given('net/model.json', bytesOf(toJson(MODEL))),
    ],
    {},
  );
  expect(network.model).toMatchObject({ name: 'small', layers: MODEL.layers });
});

test('a graph model is refused as one', async () => {
  const graph = { format: 'graph-model', modelTopology: { node: [], library: {} }, weightsManifest: [] };
  await expect(importFiles([given('model.json', bytesOf(JSON.stringify(graph)))], {})).rejects.toMatchObject({
    code: 'unsupported',
    message: 'model.json: a graph model, which has operations of TensorFlow in place of layers',
    advice: 'Export a layers model: tensorflowjs_converter --output_format tfjs_layers_model.',
  });
});

test('no file', async () => {
  await expect(importFiles([], {})).rejects.toThrow('found no file');
});
