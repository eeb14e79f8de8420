import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  ModelProtoSchema,
  OperatorSetIdProtoSchema,
  TensorProto_DataLocation,
  type ModelProto,
} from 'onnx-buf';
import { describe, expect, test } from 'vitest';
import { count } from '../../base/testing/exhaustive.ts';
import { mutate } from '../../base/testing/mutate.ts';
import { typicalParameters } from '../../engine/typical-parameters.ts';
import type { Model } from '../../models/model.ts';
import { expectResultOrFailure } from '../testing/mutated.ts';
import { ODD_MODELS } from '../testing/odd-models.ts';
import { GraphBuilder } from './build.ts';
import { fromOnnx } from './read.ts';
import { toOnnx } from './write.ts';

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

/** A file of the small network, changed before it is written. */
function changed(change: (proto: ModelProto) => void, model = SMALL): Uint8Array<ArrayBuffer> {
  const proto = fromBinary(ModelProtoSchema, toOnnx(trained(model)));
  proto.metadataProps = [];
  change(proto);
  return toBinary(ModelProtoSchema, proto);
}

/** Layers of a graph [2, 6, 6] to 4 values, as another program writes it: `write` adds what is between conv and fc. */
function foreign(write: (graph: GraphBuilder, from: string) => string, features: number) {
  const graph = new GraphBuilder();
  const zeros = (name: string, shape: number[]) =>
    graph.tensor(name, shape, new Float32Array(shape.reduce((a, b) => a * b, 1)).fill(0.5));
  const conv = graph.node('Conv', ['images', zeros('c.weight', [4, 2, 3, 3])], graph.unique('c'));
  const last = write(graph, conv);
  const matrix = graph.node('MatMul', [last, zeros('w', [features, 3])], graph.unique('m'));
  graph.node('Add', [matrix, zeros('b', [3])], graph.unique('logits'));
  const file = changed((proto) => {
    if (!proto.graph) return;
    proto.graph.node = graph.nodes;
    proto.graph.initializer = graph.tensors;
  });
  return fromOnnx('net.onnx', file);
}

const flat = (graph: GraphBuilder, from: string) =>
  graph.node('Flatten', [from], graph.unique('flat'), { axis: 1 });
const scalar = (graph: GraphBuilder, name: string, value: number) =>
  graph.tensor(name, [], Float32Array.of(value));
const then =
  (op: string, inputs: (graph: GraphBuilder, from: string) => string[], attributes = {}) =>
  (graph: GraphBuilder, from: string) =>
    graph.node(op, inputs(graph, from), graph.unique(op.toLowerCase()), attributes);

describe('files of other programs', () => {
  const opsOf = ({ model }: ReturnType<typeof foreign>) => model.layers.map(({ op }) => op);

  test('GELU of its parts, a product with a matrix and the sum after it', () => {
    const found = foreign((graph, x) => {
      const half = graph.node('Div', [x, scalar(graph, 'r', Math.SQRT2)], 'half');
      const erf = graph.node('Erf', [half], 'erf');
      const more = graph.node('Add', [erf, scalar(graph, 'one', 1)], 'more');
      const product = graph.node('Mul', [x, more], 'product');
      return flat(graph, graph.node('Mul', [product, scalar(graph, 'p5', 0.5)], 'gelu'));
    }, 64);
    expect(opsOf(found)).toEqual(['conv', 'gelu', 'flatten', 'linear']);
    expect(found.parameters.get('m.bias')?.data).toEqual(new Float32Array(3).fill(0.5));
    expect(found.model.layers[0]).toMatchObject({ name: 'c', attributes: { outChannels: 4, bias: false } });
  });

  test('SiLU, the sizes that PyTorch computes for view, and a padding of its own', () => {
    const found = foreign((graph, x) => {
      const gate = graph.node('Sigmoid', [x], 'gate');
      const silu = graph.node('Mul', [gate, x], 'silu');
      const padded = graph.node(
        'Pad',
        [silu, graph.list('p', [0, 0, 1, 0, 0, 0, 0, 1]), scalar(graph, 'v', -Infinity)],
        'padded',
      );
      const pooled = graph.node('MaxPool', [padded], 'pool', { kernel_shape: [2, 2] });
      const sizes = graph.node('Shape', [pooled], 'sizes');
      const batch = graph.node('Gather', [sizes, graph.tensor('i', [], [0])], 'n', { axis: 0 });
      const one = graph.node('Unsqueeze', [batch, graph.list('u', [0])], 'n1');
      const whole = graph.node('Concat', [one, graph.list('rest', [-1])], 'whole', { axis: 0 });
      return graph.node('Reshape', [pooled, whole], 'view');
    }, 64);
    expect(opsOf(found)).toEqual(['conv', 'silu', 'max_pool', 'flatten', 'linear']);
    expect(found.model.layers[2].attributes).toEqual({
      kernelSize: [2, 2],
      stride: [1, 1],
      padding: { top: 1, bottom: 0, left: 0, right: 1 },
    });
  });

  test('a mean over rows and columns; ceil_mode; softplus of a product; Softmax at the end is left out', () => {
    const found = foreign((graph, x) => {
      const pooled = graph.node('MaxPool', [x], 'pool', {
        kernel_shape: [3, 3],
        strides: [2, 2],
        ceil_mode: 1,
      });
      const scaled = graph.node('Mul', [pooled, scalar(graph, 'beta', 2)], 'scaled');
      const soft = graph.node('Softplus', [scaled], 'soft');
      const back = graph.node('Div', [soft, scalar(graph, 'beta2', 2)], 'back');
      return graph.node('ReduceMean', [back, graph.list('axes', [-2, -1])], 'mean', { keepdims: 0 });
    }, 4);
    expect(opsOf(found)).toEqual(['conv', 'max_pool', 'softplus', 'adaptive_avg_pool', 'flatten', 'linear']);
    expect(found.model.layers[1].attributes).toMatchObject({
      padding: { top: 0, bottom: 1, left: 0, right: 1 },
    });
    const file = changed((proto) => {
      const graph = new GraphBuilder();
      graph.node('Softmax', ['logits'], 'probabilities', { axis: 1 });
      proto.graph?.node.push(...graph.nodes);
      if (proto.graph) proto.graph.output[0].name = 'probabilities';
    });
    const { model, notes } = fromOnnx('net.onnx', file);
    expect(model.layers.at(-1)?.op).toBe('linear');
    expect(notes).toEqual(['The Softmax at the end was left out: networks here end with logits.']);
  });

  test('ceil_mode within a branch, whose other layers nothing has read yet', () => {
    const found = foreign((graph, x) => {
      const relu = graph.node('Relu', [x], 'relu');
      const pooled = graph.node('MaxPool', [x], 'pool', {
        kernel_shape: [3, 3],
        pads: [1, 1, 1, 1],
        ceil_mode: 1,
      });
      return flat(graph, graph.node('Add', [pooled, relu], 'sum'));
    }, 64);
    expect(opsOf(found)).toEqual(['conv', 'relu', 'max_pool', 'add', 'flatten', 'linear']);
  });

  test.each<[string, (graph: GraphBuilder, from: string) => string, RegExp]>([
    [
      'an operator without a layer',
      then('LRN', (_, x) => [x]),
      /node "lrn" \(LRN\): wgrad has no layer for it/,
    ],
    [
      'a layer by layer product',
      then('Mul', (_, x) => [x, x]),
      /\(Mul\): wgrad has no layer that multiplies two tensors/,
    ],
    [
      'reflected edges',
      then('Pad', (graph, x) => [x, graph.list('p', [0, 0, 1, 1, 0, 0, 1, 1])], { mode: 'reflect' }),
      /\(Pad\): expected mode constant, found reflect/,
    ],
    [
      'padding that nothing takes',
      (graph, x) =>
        flat(graph, then('Pad', (g, of) => [of, g.list('p', [0, 0, 1, 1, 0, 0, 1, 1])])(graph, x)),
      /\(Flatten\): its input is padding that no convolution or pooling follows/,
    ],
    [
      'an unknown value',
      then('Relu', () => ['nowhere']),
      /\(Relu\): input 0, "nowhere", is the output of no node/,
    ],
  ])('%s is refused with its place', (_, write, message) => {
    expect(() => foreign(write, 64)).toThrow(message);
  });
});

describe('files that are wrong', () => {
  test.each<[string, (proto: ModelProto) => void, RegExp]>([
    [
      'an old opset',
      (p) => (p.opsetImport = [create(OperatorSetIdProtoSchema, { version: 6n })]),
      /operators of version 7 or later, found 6/,
    ],
    ['no graph', (p) => (p.graph = undefined), /expected an ONNX graph, found none/],
    [
      'weights elsewhere',
      (p) => p.graph && (p.graph.initializer[0].dataLocation = TensorProto_DataLocation.EXTERNAL),
      /tensor "conv.weight": its values are in another file/,
    ],
    [
      'too few values',
      (p) => p.graph && (p.graph.initializer[0].rawData = new Uint8Array(8)),
      /tensor "conv.weight": expected 72 values for its shape, found 2/,
    ],
    [
      'huge sizes',
      (p) => p.graph && (p.graph.initializer[0].dims = [1n << 40n, 1n << 40n]),
      /tensor "conv.weight": expected up to 8 sizes/,
    ],
    [
      'a missing weight',
      (p) => p.graph?.initializer.shift(),
      /\(Conv\): input 1, "conv.weight", is the output of no node/,
    ],
    [
      'no size of images',
      (p) => p.graph && (p.graph.input[0].type = undefined),
      /input "images": expected images \[N, C, H, W\]/,
    ],
    [
      'another output',
      (p) => p.graph && (p.graph.output[0].name = 'relu'),
      /expected output "relu" to be the last layer’s/,
    ],
  ])('%s', (_, change, message) => {
    expect(() =>
      fromOnnx(
        'net.onnx',
        changed((proto) => void change(proto)),
      ),
    ).toThrow(message);
  });

  test('metadata of a model that the graph is not', () => {
    const file = toOnnx(trained(SMALL));
    const proto = fromBinary(ModelProtoSchema, file);
    proto.graph?.node.splice(1, 1);
    if (proto.graph) proto.graph.node[1].input[0] = 'conv';
    expect(fromOnnx('net.onnx', toBinary(ModelProtoSchema, proto)).model.layers.map(({ op }) => op)).toEqual([
      'conv',
      'flatten',
      'linear',
    ]);
  });

  const TRIES = count(300, 2000);
  test(`${TRIES} mutations give a network or a Failure with its place, quickly`, () => {
    const files = [SMALL, ...ODD_MODELS.slice(0, 3)].flatMap((model) => [
      toOnnx(trained(model)),
      changed(() => {}, model),
    ]);
    return expectResultOrFailure({
      kind: 'onnx',
      tries: TRIES,
      file: (random, seed) => mutate(files[seed % files.length], random),
      read: (file) => fromOnnx('net.onnx', file),
      place: /^net\.onnx/,
    });
  });
});
