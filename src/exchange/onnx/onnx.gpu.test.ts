/** What is exported, ONNX Runtime computes as wgrad does; read again, it is what it was. */
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { ModelProtoSchema } from 'onnx-buf';
import * as ort from 'onnxruntime-web';
import { afterAll, describe, expect, test } from 'vitest';
import { count } from '../../base/testing/exhaustive.ts';
import { elements } from '../../base/shape.ts';
import { Inference } from '../../engine/inference.ts';
import { inferShapes, layoutParameters } from '../../engine/network.ts';
import { expectClose } from '../../engine/testing/check.ts';
import { testDevice } from '../../engine/testing/gpu.ts';
import { typicalParameters } from '../../engine/typical-parameters.ts';
import { Random } from '../../base/random.ts';
import { ops } from '../../engine/ops/registry.ts';
import type { Trained } from '../../models/file/weights.ts';
import { models } from '../../models/index.ts';
import type { Model } from '../../models/model.ts';
import { ODD_MODELS } from '../testing/odd-models.ts';
import { WRITERS } from './layers.ts';
import { fromOnnx } from './read.ts';
import { toOnnx } from './write.ts';

const device = await testDevice();
afterAll(() => device.destroy());

const NORMALISATION = { mean: [0.3, 0.5, 0.4, 0.6], std: [0.25, 0.2, 0.3, 0.4] };

function trained(model: Model): Trained {
  const [C] = model.input;
  const normalisation = { mean: NORMALISATION.mean.slice(0, C), std: NORMALISATION.std.slice(0, C) };
  const classes = Array.from({ length: model.classes }, (_, i) => `class ${i}`);
  const parameters = typicalParameters(model.layers, [1, ...model.input]);
  return { model, parameters, info: { normalisation, classes, dataset: 'test' } };
}

/** Bytes of pixels. */
function pixels(N: number, { input }: Model): Uint8Array {
  const random = new Random(5, 'pixels');
  return Uint8Array.from({ length: N * elements(input) }, () => Math.floor(256 * random.uniform()));
}

async function here({ model, parameters, info }: Trained, images: Uint8Array): Promise<Float32Array> {
  const N = images.length / elements(model.input);
  const { layers, input } = model;
  const normalisation = info.normalisation ?? { mean: input.slice(0, 1).map(() => 0), std: [1] };
  const inference = await Inference.load(device, {
    layers,
    input,
    parameters,
    normalisation,
    batchSize: N,
    count: N,
  });
  const inferred = await inference.run(images);
  inference.destroy();
  return inferred?.logits ?? new Float32Array();
}

async function inOnnxRuntime(file: Uint8Array, images: Uint8Array, { input }: Model): Promise<Float32Array> {
  const session = await ort.InferenceSession.create(file);
  const data = Float32Array.from(images, (byte) => byte / 255);
  const N = images.length / elements(input);
  const { logits } = await session.run({ images: new ort.Tensor(data, [N, ...input]) });
  const values = Float32Array.from((await logits.getData()) as Float32Array);
  await session.release();
  return values;
}

const IMAGES = count(2, 64);
const size = ({ layers, input }: Model) => layoutParameters(inferShapes(layers, [1, ...input])).count;
/** The larger ones take minutes together. */
const chosen = models.all().filter((model) => size(model) < count(1e5, 3e7) && elements(model.input) < 1e4);

test('every op can be written', () => {
  expect(Object.keys(WRITERS).sort()).toEqual([...ops.names()].sort());
});

describe.each([...ODD_MODELS, ...chosen])('$name', (model) => {
  const original = trained(model);
  const images = pixels(IMAGES, model);
  const answer = here(original, images);

  test('answers in ONNX Runtime as here, and comes back as it went', async () => {
    const file = toOnnx(original);
    expectClose('logits', await inOnnxRuntime(file, images, model), await answer, 1e-5);
    const { model: back, parameters, info, notes } = fromOnnx('model.onnx', file);
    expect(back).toEqual(model);
    expect(info).toEqual(original.info);
    expect(notes).toEqual([]);
    for (const [name, { shape, data }] of parameters)
      expect({ name, shape, data }).toEqual({ name, ...original.parameters.get(name) });
  });

  test('read as if another program had written it, answers the same', async () => {
    const read = () => fromOnnx('model.onnx', withoutMetadata(toOnnx(original)));
    if (model.name === 'adaptive') {
      // Windows of different sizes are many nodes, which only wgrad's metadata tells to be a layer.
      expect(read).toThrow('model.onnx, node "p/window" (Slice): wgrad has no layer for it');
      return;
    }
    const back = read();
    expectClose('logits', await here(back, images), await answer, 1e-5);
  });
});

/** The file of a program that does not know wgrad's models. */
function withoutMetadata(file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const proto = fromBinary(ModelProtoSchema, file);
  proto.metadataProps = [];
  return toBinary(ModelProtoSchema, proto);
}
