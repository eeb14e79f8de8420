/** What is exported, ONNX Runtime and TensorFlow.js compute as wgrad does; read again, it is what it was. */
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { readFileSync } from 'node:fs';
import { ModelProtoSchema } from 'onnx-buf';
import { afterAll, describe, expect, test } from 'vitest';
import { ort } from '../../peers/libraries/onnxruntime.ts';
import { layers as tfLayers, tf } from '../../peers/libraries/tfjs.ts';
import { loadBackend } from '../../peers/tfjs-backends.ts';
import { count } from '../base/testing/tier.ts';
import { elements } from '../base/shape.ts';
import { inferShapes, layoutParameters } from '../engine/network.ts';
import { expectClose } from '../engine/testing/check.ts';
import { testDevice } from '../engine/testing/gpu.ts';
import type { Trained } from '../models/file/weights.ts';
import { models } from '../models/index.ts';
import type { Model } from '../models/model.ts';
import type { Files } from './exporters.ts';
import type { Imported } from './imported.ts';
import { fromOnnx } from './onnx/read.ts';
import { toOnnx } from './onnx/write.ts';
import { logitsOf, pixels, trained } from './testing/answers.ts';
import { ODD_MODELS } from './testing/odd-models.ts';
import { fromTfjs } from './tfjs/read.ts';
import { toTfjs } from './tfjs/write.ts';
import { transposed } from '../base/transposed.ts';

/** The largest networks take minutes for 64 images. */
const device = await testDevice();
afterAll(() => device.destroy());

async function inOnnxRuntime(file: Uint8Array, images: Uint8Array, { input }: Model): Promise<Float32Array> {
  const session = await ort.InferenceSession.create(file);
  const data = Float32Array.from(images, (byte) => byte / 255);
  const N = images.length / elements(input);
  const { logits } = await session.run({ images: new ort.Tensor(data, [N, ...input]) });
  const values = Float32Array.from((await logits.getData()) as Float32Array);
  await session.release();
  return values;
}

async function inTensorFlow(
  files: Files,
  images: Uint8Array,
  { input: [C, H, W] }: Model,
): Promise<Float32Array> {
  await loadBackend('cpu');
  await tf.setBackend('cpu');
  const { modelTopology, weightsManifest } = jsonOf(files);
  const shards = weightsManifest[0].paths.map((path) => files.get(path) ?? new Uint8Array());
  const model = await tfLayers.loadLayersModel(
    tf.io.fromMemory({
      modelTopology,
      weightSpecs: weightsManifest[0].weights,
      weightData: Uint8Array.from(Buffer.concat(shards)).buffer,
    }),
  );
  const N = images.length / (C * H * W);
  const nchw = Float32Array.from(images, (byte) => byte / 255);
  const nhwc = tf.tensor4d(transposed(nchw, [N, C, H, W], [0, 2, 3, 1]), [N, H, W, C]);
  const logits = tf.tidy(() => model.predict(nhwc) as tf.Tensor);
  const values = Float32Array.from(await logits.data());
  tf.dispose([nhwc, logits]);
  model.dispose();
  return values;
}

interface LayersModel {
  modelTopology: object;
  weightsManifest: { paths: string[]; weights: tf.io.WeightsManifestEntry[] }[];
}

const jsonOf = (files: Files) => JSON.parse(new TextDecoder().decode(files.get('model.json'))) as LayersModel;

const readTfjs = (files: Files): Promise<Imported> =>
  fromTfjs('model.json', files.get('model.json') ?? new Uint8Array(), async (name) => files.get(name));

/** Layers that TensorFlow.js does not have. */
const NOT_IN_TENSORFLOW: Readonly<Record<string, string>> = {
  norms:
    '“gn” cannot be written for TensorFlow.js: its layers have no group normalisation; expected batch normalisation',
  borders:
    '“image” cannot be written for TensorFlow.js: its padding adds zeros only; expected mode constant, value 0',
  groups:
    '“c” cannot be written for TensorFlow.js: its convolutions have either one group or one per channel; found 2',
  dilation: '“pool” cannot be written for TensorFlow.js: its pooling has no dilation',
  threshold:
    '“soft” cannot be written for TensorFlow.js: its softplus has no threshold; expected at least 15, found 1.5',
  depthwise: '“a” cannot be written for TensorFlow.js: its depthwise convolutions have no dilation',
  sparse:
    '“a” cannot be written for TensorFlow.js: its convolutions have either a stride or a dilation, not both',
  'unequal-padding':
    '“d” cannot be written for TensorFlow.js: its padding would count in the mean; expected padding "same"',
};

/** A node of layers that are several in ONNX, which only wgrad's metadata tells to be one. */
const NOT_FOREIGN: Readonly<Record<string, string>> = {
  adaptive: '"p/window" (Slice)',
  threshold: '"soft/above" (Greater)',
};

/** With layers that are several in TensorFlow.js. */
const COMPOSED = new Set(['maxout', 'adaptive', 'activations']);

const IMAGES = count(2, 2, 64);
const IN_TENSORFLOW = count(2, 2, 4);
const size = ({ layers, input }: Model) => layoutParameters(inferShapes(layers, [1, ...input])).count;
/** The larger ones take minutes together. */
const chosen = models
  .all()
  .filter((model) => size(model) < count(1e5, 1e5, 3e7) && elements(model.input) < 1e4);

describe.each([...ODD_MODELS, ...chosen])('$name', (model) => {
  const original = trained(model);
  const images = pixels(IMAGES, model);
  const answer = logitsOf(device, original, images);

  test('answers in ONNX Runtime as here, and comes back as it went', async () => {
    const file = toOnnx(original);
    expectClose('logits', await inOnnxRuntime(file, images, model), await answer, 1e-5);
    expectSame(fromOnnx('model.onnx', file), original);
  });

  test('read as if another program had written it, answers the same', async () => {
    const read = () => fromOnnx('model.onnx', withoutMetadata(toOnnx(original)));
    const obstacle = NOT_FOREIGN[model.name];
    if (obstacle !== undefined) {
      expect(read).toThrow(`model.onnx, node ${obstacle}: wgrad has no layer for it`);
      return;
    }
    const back = read();
    expectClose('logits', await logitsOf(device, back, images), await answer, 1e-5);
  });

  test('answers in TensorFlow.js as here, comes back as it went, and answers the same as the file of another program', async () => {
    const obstacle = NOT_IN_TENSORFLOW[model.name];
    if (obstacle !== undefined) {
      expect(() => toTfjs(original)).toThrow(obstacle);
      return;
    }
    const files = toTfjs(original);
    // Its processor engine is slow: few of the images.
    const few = images.subarray(0, IN_TENSORFLOW * elements(model.input));
    const own = (await answer).subarray(0, IN_TENSORFLOW * model.classes);
    expectClose('logits', await inTensorFlow(files, few, model), own, 1e-5);
    expectSame(await readTfjs(files), original);
    const foreign = readTfjs(asForeign(files));
    if (COMPOSED.has(model.name)) {
      // A layer that is several in TensorFlow.js: only wgrad's metadata says which.
      await expect(foreign).rejects.toThrow(/^model\.json, layer "[\w.]+" \(\w+\): /);
      return;
    }
    expectClose('logits', await logitsOf(device, await foreign, images), await answer, 1e-5);
  });
});

const fixture = (name: string) => readFileSync(new URL(`onnx/fixtures/${name}`, import.meta.url));

test.each(['folded', 'dynamic', 'whole'])('a network that PyTorch exports, %s', async (name) => {
  const network = fromOnnx(`${name}.onnx`, new Uint8Array(fixture(`${name}.onnx`)));
  const image = Uint8Array.from({ length: 3 * 11 * 11 }, (_, i) => (i * 37) % 256);
  const wanted = JSON.parse(fixture('logits.json').toString()) as number[];
  expectClose('logits', await logitsOf(device, network, image), Float32Array.from(wanted), 1e-5);
});

/** Networks that are the same to the bit. */
function expectSame({ model, parameters, info, notes }: Imported, original: Trained): void {
  expect(model).toEqual(original.model);
  expect(info).toEqual(original.info);
  expect(notes).toEqual([]);
  expect([...parameters.keys()]).not.toEqual([]);
  for (const [name, { shape, data }] of parameters)
    expect({ name, shape, data }).toEqual({ name, ...original.parameters.get(name) });
}

/** A layers model without what wgrad says about it. */
function asForeign(files: Files): Files {
  const json = { ...jsonOf(files), userDefinedMetadata: undefined };
  return new Map([...files, ['model.json', new TextEncoder().encode(JSON.stringify(json))]]);
}

/** The file of a program that does not know wgrad's models. */
function withoutMetadata(file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const proto = fromBinary(ModelProtoSchema, file);
  proto.metadataProps = [];
  return toBinary(ModelProtoSchema, proto);
}
