import { beforeAll, describe, expect, test } from 'vitest';
import { layers, tf } from '../../../peers/libraries/tfjs.ts';
import { loadBackend } from '../../../peers/tfjs-backends.ts';
import { Random } from '../../base/random.ts';
import { Failure } from '../../base/result.ts';
import { count } from '../../base/testing/tier.ts';
import { mutate } from '../../base/testing/mutate.ts';
import { expectWithin, processorTime } from '../../base/testing/processor-time.ts';
import { expectClose } from '../../engine/testing/check.ts';
import { referenceLogits } from '../../engine/reference/network.ts';
import { typicalParameters } from '../../engine/typical-parameters.ts';
import { toJson } from '../../models/file/write.ts';
import type { Model } from '../../models/model.ts';
import type { Files } from '../exporters.ts';
import type { Imported } from '../imported.ts';
import { expectResultOrFailure } from '../../base/testing/mutated.ts';
import { ODD_MODELS } from '../testing/odd-models.ts';
import { transposed } from '../../base/transposed.ts';
import { fromTfjs } from './read.ts';
import { toTfjs } from './write.ts';

beforeAll(async () => {
  await loadBackend('cpu');
  await tf.setBackend('cpu');
});

const trained = (model: Model) => ({
  model,
  parameters: typicalParameters(model.layers, [1, ...model.input]),
  info: {},
});

const SMALL: Model = {
  name: 'small',
  title: 'Small',
  description: '',
  input: [2, 6, 6],
  classes: 3,
  layers: [
    { name: 'conv', op: 'conv', attributes: { outChannels: 4, kernelSize: [3, 3] } },
    { name: 'relu', op: 'relu' },
    { name: 'flatten', op: 'flatten' },
    { name: 'fc', op: 'linear', attributes: { outFeatures: 3 } },
  ],
};

const encoded = (json: unknown) => new TextEncoder().encode(JSON.stringify(json));
const read = (files: Files) =>
  fromTfjs('model.json', files.get('model.json') ?? new Uint8Array(), async (name) => files.get(name));

/** A model as TensorFlow.js saves it. */
async function saved(model: layers.LayersModel): Promise<Files> {
  let files: Files = new Map();
  await model.save(
    tf.io.withSaveHandler((artifacts) => {
      const { weightSpecs, weightData, ...rest } = artifacts;
      const data = new Uint8Array(Buffer.concat([weightData ?? []].flat().map((part) => Buffer.from(part))));
      const weightsManifest = [{ paths: ['weights.bin'], weights: weightSpecs }];
      files = new Map([
        ['model.json', encoded({ ...rest, weightsManifest })],
        ['weights.bin', data],
      ]);
      return Promise.resolve({ modelArtifactsInfo: { dateSaved: new Date(), modelTopologyType: 'JSON' } });
    }),
  );
  return files;
}

/** With random weights, statistics of batch norm included. */
function withWeights(model: layers.LayersModel): layers.LayersModel {
  const random = new Random(3, 'weights');
  const values = model.getWeights().map((weight) => {
    const isVector = weight.shape.length === 1;
    const data = Float32Array.from({ length: weight.size }, () =>
      isVector ? 0.5 + random.uniform() : 0.3 * random.normal(),
    );
    return tf.tensor(data, weight.shape);
  });
  model.setWeights(values);
  return model;
}

/** For the reference, which trains: without dropout, and batch norm of vectors as a matrix of its running statistics. */
function forPredicting({ model, parameters: all }: Imported) {
  const parameters = new Map(all);
  const own = model.layers.map((layer) => {
    if (layer.op === 'dropout') return { ...layer, attributes: { p: 0 } };
    if (layer.op !== 'batch_norm') return layer;
    const [weight, bias, mean, variance] = ['weight', 'bias', 'running_mean', 'running_var'].map(
      (name) => all.get(`${layer.name}.${name}`)?.data ?? new Float32Array(),
    );
    const outFeatures = weight.length;
    const { eps = 1e-5 } = (layer.attributes ?? {}) as { eps?: number };
    const scale = weight.map((one, i) => one / Math.sqrt(variance[i] + eps));
    const matrix = new Float32Array(outFeatures ** 2);
    scale.forEach((one, i) => (matrix[i * (outFeatures + 1)] = one));
    parameters.set(`${layer.name}.weight`, { shape: [outFeatures, outFeatures], data: matrix });
    parameters.set(`${layer.name}.bias`, {
      shape: [outFeatures],
      data: bias.map((one, i) => one - mean[i] * scale[i]),
    });
    return { ...layer, op: 'linear', attributes: { outFeatures } };
  });
  return { layers: own, parameters };
}

/** What a model answers in TensorFlow.js, and what its file answers here. */
async function expectSameAnswers(model: layers.LayersModel) {
  const found = await read(await saved(withWeights(model)));
  const sizes = model.inputs[0].shape.slice(1) as number[];
  const [C, H, W] = found.model.input;
  const random = new Random(7, 'pixels');
  const N = 2;
  const pixels = Float32Array.from({ length: N * C * H * W }, () => random.uniform());
  const given = tf.tensor(transposed(pixels, [N, C, H, W], [0, 2, 3, 1]), [N, ...sizes]);
  const expected = Float32Array.from((model.predict(given) as tf.Tensor).dataSync());
  const { mean, std } = found.info.normalisation ?? { mean: [], std: [] };
  const plane = H * W;
  const x = Float64Array.from(pixels, (pixel, i) => {
    const channel = Math.floor(i / plane) % C;
    return mean.length > 0 ? (pixel - mean[channel]) / std[channel] : pixel;
  });
  const { layers: own, parameters } = forPredicting(found);
  const logits = referenceLogits(own, { shape: [N, C, H, W], x }, (name) => parameters.get(name)?.data ?? []);
  expectClose('logits', Float32Array.from(logits), expected, 1e-5);
  return found;
}

describe('models that TensorFlow.js makes', () => {
  const { conv2d, dense, flatten, rescaling, reshape } = { ...layers.layers };

  test.each([
    ['pixels in a row', [64], [dense({ units: 3, inputShape: [64] })]],
    [
      'pixels in a row, in colour',
      [192],
      [dense({ units: 4, activation: 'relu', inputShape: [192] }), dense({ units: 3 })],
    ],
    ['rows of pixels', [8, 9], [rescaling({ scale: 2, inputShape: [8, 9] }), flatten(), dense({ units: 3 })]],
    [
      'pixels in a row that become an image',
      [192],
      [
        reshape({ targetShape: [8, 8, 3], inputShape: [192] }),
        conv2d({ filters: 2, kernelSize: 3 }),
        flatten(),
        dense({ units: 3 }),
      ],
    ],
  ])('%s', async (_, sizes, all) => {
    const found = await expectSameAnswers(layers.sequential({ layers: all }));
    expect(found.model.input).toEqual(sizes[0] === 192 ? [3, 8, 8] : [1, 8, sizes[1] ?? 8]);
  });

  test('pixels of no square image are refused', async () => {
    const model = layers.sequential({ layers: [dense({ units: 3, inputShape: [13] })] });
    await expect(saved(model).then(read)).rejects.toThrow(
      /or as many values as a square image has, found \[\?, 13\]/,
    );
  });

  test('one layer after the other, flattened with channels last', async () => {
    const found = await expectSameAnswers(
      layers.sequential({
        layers: [
          layers.layers.conv2d({ filters: 5, kernelSize: [3, 2], activation: 'relu', inputShape: [9, 8, 3] }),
          layers.layers.maxPooling2d({ poolSize: 3, strides: 2, padding: 'same' }),
          layers.layers.flatten(),
          layers.layers.batchNormalization({}),
          layers.layers.dropout({ rate: 0.25 }),
          layers.layers.dense({ units: 6, activation: 'tanh' }),
          layers.layers.dense({ units: 4, useBias: false }),
        ],
      }),
    );
    expect(found.model.layers.map(({ op }) => op)).toEqual([
      ...['conv', 'relu', 'max_pool', 'flatten', 'batch_norm', 'dropout', 'linear', 'tanh', 'linear'],
    ]);
  });

  test('zeros that no other layer can take are a layer', async () => {
    const { zeroPadding2d, maxPooling2d, averagePooling2d } = layers.layers;
    const model = layers.sequential();
    model.add(conv2d({ filters: 2, kernelSize: 1, inputShape: [4, 4, 1] }));
    // They could be the largest.
    model.add(zeroPadding2d({}));
    model.add(maxPooling2d({ poolSize: 2, strides: 1 }));
    model.add(zeroPadding2d({}));
    model.add(conv2d({ filters: 2, kernelSize: 3, padding: 'same' }));
    model.add(zeroPadding2d({ padding: 2 }));
    model.add(averagePooling2d({ poolSize: 3 }));
    model.add(zeroPadding2d({}));
    model.add(flatten());
    model.add(dense({ units: 2 }));
    const found = await read(await saved(model));
    expect(found.model.layers.map(({ op }) => op)).toEqual([
      ...['conv', 'pad', 'max_pool', 'pad', 'conv', 'pad', 'avg_pool', 'pad', 'flatten', 'linear'],
    ]);
  });

  test('branches, depthwise and separable convolutions, zeros around, global pooling', async () => {
    const { depthwiseConv2d, separableConv2d, zeroPadding2d, add, concatenate } = layers.layers;
    const images = layers.input({ shape: [8, 9, 2] });
    const apply = (layer: layers.layers.Layer, ...inputs: layers.SymbolicTensor[]) =>
      layer.apply(inputs.length === 1 ? inputs[0] : inputs) as layers.SymbolicTensor;
    const padded = apply(
      zeroPadding2d({
        padding: [
          [0, 1],
          [2, 1],
        ],
      }),
      images,
    );
    const a = apply(conv2d({ filters: 4, kernelSize: 3, strides: 2 }), padded);
    const b = apply(
      depthwiseConv2d({ kernelSize: 3, depthMultiplier: 2, padding: 'same', useBias: false }),
      a,
    );
    const c = apply(separableConv2d({ filters: 8, kernelSize: 3, padding: 'same', activation: 'elu' }), a);
    const sum = apply(layers.layers.leakyReLU({ alpha: 0.2 }), apply(add(), b, c));
    const pooled = apply(layers.layers.averagePooling2d({ poolSize: 2, strides: 1, padding: 'same' }), sum);
    const joined = apply(concatenate(), pooled, a);
    const vector = apply(layers.layers.globalAveragePooling2d({}), joined);
    const logits = apply(layers.layers.dense({ units: 3 }), vector);
    await expectSameAnswers(layers.model({ inputs: images, outputs: logits }));
  });

  test('models in models', async () => {
    const images = layers.input({ shape: [9, 9, 2] });
    const conv = conv2d({ filters: 4, kernelSize: 3, padding: 'same', name: 'inner' }).apply(images);
    const both = [conv, layers.layers.reLU().apply(conv)] as layers.SymbolicTensor[];
    const inner = layers.model({
      inputs: images,
      outputs: layers.layers.add().apply(both) as layers.SymbolicTensor,
    });
    const features = layers.sequential({ layers: [inner, layers.layers.globalAveragePooling2d({})] });
    const head = layers.sequential({ layers: [dense({ units: 5, activation: 'relu', inputShape: [4] })] });
    const outer = layers.sequential({ layers: [features, head, dense({ units: 3 })] });
    const found = await expectSameAnswers(outer);
    expect(found.model.layers.map(({ op }) => op)).toEqual([
      ...['conv', 'relu', 'add', 'adaptive_avg_pool', 'flatten', 'linear', 'relu', 'linear'],
    ]);
    const own = layers.input({ shape: [9, 9, 2] });
    const vector = features.apply(own) as layers.SymbolicTensor;
    const logits = dense({ units: 3 }).apply(vector) as layers.SymbolicTensor;
    await expectSameAnswers(layers.model({ inputs: own, outputs: logits }));
  });

  test('images that are scaled; a softmax at the end is left out', async () => {
    const model = layers.sequential({
      layers: [
        layers.layers.rescaling({ scale: 2, offset: -1, inputShape: [4, 4, 1] }),
        layers.layers.conv2d({ filters: 2, kernelSize: 2 }),
        layers.layers.globalMaxPooling2d({}),
        layers.layers.dense({ units: 3 }),
      ],
    });
    const { info } = await expectSameAnswers(model);
    expect(info.normalisation).toEqual({ mean: [0.5], std: [0.5] });
    const ending = layers.sequential({
      layers: [
        layers.layers.flatten({ inputShape: [4, 4, 1] }),
        layers.layers.dense({ units: 3, activation: 'softmax' }),
      ],
    });
    const { model: found, notes } = await read(await saved(ending));
    expect(found.layers.map(({ op }) => op)).toEqual(['flatten', 'linear']);
    expect(notes).toEqual(['The softmax at the end was left out: networks here end with logits.']);
  });

  test.each<[string, layers.layers.Layer, RegExp]>([
    [
      'a layer that wgrad does not have',
      layers.layers.upSampling2d({}),
      /\(UpSampling2D\): wgrad has no layer for it/,
    ],
    [
      'an activation',
      layers.layers.activation({ activation: 'mish' }),
      /\(Activation\): wgrad has no activation mish/,
    ],
    ['a threshold', layers.layers.thresholdedReLU({ theta: 6 }), /ThresholdedReLU/],
    [
      'a softmax over rows',
      layers.layers.softmax({ axis: 1 }),
      /\(Softmax\): expected axis -1, the classes, found 1/,
    ],
    ['a change of axes', layers.layers.permute({ dims: [2, 1, 3] }), /\(Permute\): expected dims 3, 1, 2/],
  ])('%s is refused with its place', async (_, layer, message) => {
    const model = layers.sequential();
    model.add(layers.layers.conv2d({ filters: 2, kernelSize: 1, inputShape: [4, 4, 1] }));
    model.add(layer);
    model.add(layers.layers.maxPooling2d({ poolSize: 2 }));
    model.add(layers.layers.flatten());
    model.add(layers.layers.dense({ units: 2 }));
    const file = await saved(model);
    await expect(read(file)).rejects.toThrow(message);
    await expect(read(file)).rejects.toThrow(/^model\.json, layer "/);
  });
});

interface Json {
  modelTopology: {
    model_config: { class_name: string; config: { layers: { config: Record<string, unknown> }[] } };
  };
  weightsManifest: { paths: string[]; weights: { name: string; shape: number[]; dtype: string }[] }[];
  userDefinedMetadata?: unknown;
}

/** A file of the small network, changed before it is written. */
function changed(change: (json: Json) => void, model = SMALL): Files {
  const files = toTfjs(trained(model));
  const json = JSON.parse(new TextDecoder().decode(files.get('model.json'))) as Json;
  delete json.userDefinedMetadata;
  change(json);
  return new Map([...files, ['model.json', encoded(json)]]);
}

describe('files that are wrong', () => {
  test.each<[string, (json: Json) => void, RegExp]>([
    [
      'another class of model',
      (json) => (json.modelTopology.model_config.class_name = 'Model2'),
      /expected a model of class Functional, Model or Sequential, found Model2/,
    ],
    [
      'a size that does not fit',
      (json) => (json.weightsManifest[0].weights[0].shape = [3, 3, 2, 5]),
      /expected 1156 bytes of weights, found 1084 in group1-shard1of1.bin/,
    ],
    [
      'a huge tensor',
      (json) => (json.weightsManifest[0].weights[0].shape = [2 ** 31, 2 ** 31, 2 ** 31, 2 ** 31]),
      /bytes of weights, found 1084/,
    ],
    [
      'a path out of the folder',
      (json) => (json.weightsManifest[0].paths = ['../secret']),
      /paths\[0\]: expected the name/,
    ],
    [
      'a missing file',
      (json) => (json.weightsManifest[0].paths = ['other.bin']),
      /its weights in other.bin are missing/,
    ],
    [
      'a missing weight',
      (json) => (json.weightsManifest[0].weights[0].name = 'x'),
      /expected the weight "conv\/kernel", found none/,
    ],
    [
      'a kernel of another rank',
      (json) => (json.weightsManifest[0].weights[0].shape = [9, 2, 4]),
      /expected its kernel to have 4 dimensions of at least 1, found \[9, 2, 4\]/,
    ],
    [
      'a stride of 0',
      (json) => (json.modelTopology.model_config.config.layers[1].config['strides'] = [0, 1]),
      /layers\[1\]\.config\.strides\[0\]: expected a whole number of at least 1, found 0/,
    ],
    [
      'no size of images',
      (json) =>
        (json.modelTopology.model_config.config.layers[0].config['batch_input_shape'] = [null, null, 6, 2]),
      /expected images \[batch, H, W, C\] with H, W and C given, or as many values as a square image has, found \[\?, \?, 6, 2\]/,
    ],
  ])('%s', async (_, change, message) => {
    await expect(read(changed((json) => void change(json)))).rejects.toThrow(message);
    await expect(read(changed((json) => void change(json)))).rejects.toThrow(/^model\.json/);
  });

  test('images, shared tensors and metadata of any size take no memory', async () => {
    const huge = changed(
      (json) =>
        (json.modelTopology.model_config.config.layers[0].config['batch_input_shape'] = [null, 6, 6, 2e8]),
    );
    await expect(read(huge)).rejects.toThrow(
      /^model\.json, layer "\w+": expected images .* found \[\?, 6, 6, 200000000\]/,
    );

    // One kernel, whose name has a part for each of many layers.
    const most = 60;
    const names = Array.from({ length: most }, (_, i) => `d${i}`);
    const size = 512;
    const layer = (name: string, i: number) => ({
      class_name: 'Dense',
      name,
      config: { name, units: size, use_bias: false },
      inbound_nodes: [[[i === 0 ? 'flat' : names[i - 1], 0, 0, {}]]],
    });
    const shared = changed((json) => {
      const { config } = json.modelTopology.model_config as unknown as { config: Record<string, unknown> };
      const images = { batch_input_shape: [null, 1, 1, size], name: 'images' };
      config['layers'] = [
        { class_name: 'InputLayer', name: 'images', config: images, inbound_nodes: [] },
        {
          class_name: 'Flatten',
          name: 'flat',
          config: { name: 'flat' },
          inbound_nodes: [[['images', 0, 0, {}]]],
        },
        ...names.map(layer),
      ];
      config['input_layers'] = [['images', 0, 0]];
      config['output_layers'] = [[names[most - 1], 0, 0]];
      const name = `${names.join('/')}/kernel`;
      json.weightsManifest = [
        { paths: ['w.bin'], weights: [{ name, shape: [size, size], dtype: 'float32' }] },
      ];
    });
    const start = processorTime();
    await expect(read(new Map([...shared, ['w.bin', new Uint8Array(4 * size ** 2)]]))).rejects.toMatchObject({
      code: 'bad-file',
      message: expect.stringMatching(
        /^model\.json, tensor "d0\/d1\/.*": expected tensors of at most \d+ bytes/,
      ),
    });

    const pools = Array.from({ length: 100 }, (_, i) => ({
      name: `p${i}`,
      op: 'adaptive_max_pool',
      attributes: { outputSize: [3999, 1] },
    }));
    const model = { ...SMALL, layers: [...pools, ...SMALL.layers.slice(2)] };
    const own = changed((json) => (json.userDefinedMetadata = { model: toJson(model) }));
    expect((await read(own)).model.layers).toHaveLength(SMALL.layers.length);
    expectWithin(1000, start);
  });

  test('a file that wgrad wrote without the normalisation gives its model', async () => {
    const info = { normalisation: { mean: [0.5, 0.25], std: [0.5, 1] } };
    expect((await read(toTfjs({ ...trained(SMALL), info }, { normalise: false }))).model).toEqual(SMALL);
  });

  test('quantised weights', async () => {
    const files = changed((json) => {
      for (const weight of json.weightsManifest[0].weights)
        Object.assign(weight, {
          quantization: { dtype: 'uint8', scale: 0.5, min: -2, original_dtype: 'float32' },
        });
    });
    const whole = files.get('group1-shard1of1.bin')?.length ?? 0;
    const bytes = Uint8Array.from({ length: whole / 4 }, (_, i) => i % 9);
    const { parameters } = await read(new Map([...files, ['group1-shard1of1.bin', bytes]]));
    expect([...(parameters.get('conv.weight')?.data.slice(0, 3) ?? [])]).toEqual([-2, 2, 1.5]);
  });

  const TRIES = count(60, 300, 2000);
  test(`${TRIES} mutations give a network or a Failure with its place, quickly`, async () => {
    const files = [SMALL, ...ODD_MODELS.slice(0, 2)].flatMap((model) => [
      toTfjs(trained(model)),
      changed(() => {}, model),
    ]);
    await expectResultOrFailure({
      kind: 'tfjs',
      tries: TRIES,
      file: (random, seed): Files => {
        const original = files[seed % files.length];
        const names = [...original.keys()];
        // Mostly the part that is parsed.
        const name = random.below(8) === 0 ? names[1] : names[0];
        return new Map([...original, [name, mutate(original.get(name) ?? new Uint8Array(), random)]]);
      },
      read,
      place: /^model\.json/,
    });
  });

  test('a shard that is named again and again stands for one file', async () => {
    const original = toTfjs(trained(SMALL));
    const json = JSON.parse(new TextDecoder().decode(original.get('model.json'))) as {
      weightsManifest: unknown[];
    };
    const times = 10_000;
    const weights = Array.from({ length: times }, (_, i) => ({
      name: `n${i}`,
      shape: [250_000],
      dtype: 'float32',
    }));
    json.weightsManifest.push({ paths: Array.from(weights, () => 'more.bin'), weights });
    const files: Files = new Map([
      ...original,
      ['model.json', encoded(json)],
      ['more.bin', new Uint8Array(1e6)],
    ]);
    await expect(read(files)).rejects.toThrow('model.json: its weights name the file more.bin twice');
  });

  test('words of JSON in other places', async () => {
    const original = toTfjs(trained(SMALL));
    const text = new TextDecoder().decode(original.get('model.json'));
    const parts = text.split(/(?<=[,:[{])|(?=[\]}])/);
    const words = ['null', '0', '-1', '1e99', '"x"', '[]', '{}', 'true'];
    for (let seed = 0; seed < TRIES; seed++) {
      const random = new Random(seed, 'words');
      const changedParts = [...parts];
      const at = random.below(parts.length);
      changedParts[at] = changedParts[at].replace(/^("[^"]*"|[\w.+-]+)/, words[random.below(words.length)]);
      const files: Files = new Map([
        ...original,
        ['model.json', new TextEncoder().encode(changedParts.join(''))],
      ]);
      await read(files).catch((error: unknown) => {
        if (!(error instanceof Failure)) throw new Error(`words with seed ${seed}`, { cause: error });
        expect(error.message).toMatch(/^model\.json/);
      });
    }
  });
});
