import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  ModelProtoSchema,
  NodeProtoSchema,
  OperatorSetIdProtoSchema,
  StringStringEntryProtoSchema,
  TensorProto_DataLocation,
  TensorProto_DataType,
  TensorProtoSchema,
  type ModelProto,
} from 'onnx-buf';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { count } from '../../base/testing/tier.ts';
import { mutate } from '../../base/testing/mutate.ts';
import { expectWithin, processorTime } from '../../base/testing/processor-time.ts';
import { typicalParameters } from '../../engine/typical-parameters.ts';
import { toJson } from '../../models/file/write.ts';
import type { Model } from '../../models/model.ts';
import { expectResultOrFailure } from '../../base/testing/mutated.ts';
import { ODD_MODELS } from '../testing/odd-models.ts';
import { GraphBuilder } from './build.ts';
import { fromOnnx, fromOnnxFiles } from './read.ts';
import { toOnnx } from './write.ts';

const exportedByPyTorch = (name: string) =>
  new Uint8Array(readFileSync(new URL(`fixtures/${name}.onnx`, import.meta.url)));

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

/** The network of a file whose images are given as vectors or rows of these sizes. */
function ofPixels(
  model: Model,
  sizes: readonly number[],
  change: (proto: ModelProto) => void = () => undefined,
) {
  const file = changed((proto) => {
    const type = proto.graph?.input[0].type?.value;
    const shape = type?.case === 'tensorType' ? type.value.shape : undefined;
    if (!shape) throw new Error('no input');
    shape.dim = [
      shape.dim[0],
      ...sizes.map((size, i) => ({
        ...shape.dim[i],
        value: { case: 'dimValue' as const, value: BigInt(size) },
      })),
    ];
    change(proto);
  }, model);
  return fromOnnx('net.onnx', file);
}

describe('images as vectors of pixels', () => {
  const fc = { name: 'fc', op: 'linear', attributes: { outFeatures: 3 } };
  const flatten = { name: 'flatten', op: 'flatten' };
  const vector = (C: number): Model => ({ ...SMALL, input: [C, 8, 8], layers: [flatten, fc] });
  const expectSame = (found: ReturnType<typeof fromOnnx>, model: Model) => {
    expect(found.model).toMatchObject({ input: model.input, layers: model.layers });
    for (const [name, { data }] of trained(model).parameters)
      expect(found.parameters.get(name)?.data, name).toEqual(data);
  };

  test.each([
    [1, [64]],
    [3, [192]],
    [1, [8, 8]],
  ])('%i channels as %j', (C, sizes) => {
    expectSame(ofPixels(vector(C), sizes), vector(C));
    const withoutFlatten = (proto: ModelProto) => {
      const [first, second] = proto.graph?.node ?? [];
      if (!proto.graph || sizes.length > 1) return;
      second.input[0] = first.input[0];
      proto.graph.node.shift();
    };
    expectSame(ofPixels(vector(C), sizes, withoutFlatten), vector(C));
  });

  test('that become images', () => {
    const conv = { name: 'conv', op: 'conv', attributes: { outChannels: 2, kernelSize: [3, 3] } };
    const model: Model = { ...SMALL, input: [3, 8, 8], layers: [conv, flatten, fc] };
    const reshaped = (shape: number[]) =>
      ofPixels(model, [192], ({ graph }) => {
        if (!graph) return;
        const own = new GraphBuilder();
        const [images] = graph.input;
        own.node('Reshape', [images.name, own.list('shape', shape)], 'as images');
        graph.node[0].input[0] = 'as images';
        graph.node.unshift(...own.nodes);
        graph.initializer.push(...own.tensors);
      });
    expectSame(reshaped([-1, 3, 8, 8]), model);
    expect(() => reshaped([-1, 3, 4, 16])).toThrow(
      /wgrad has no layer that changes the shape to \[-1, 3, 4, 16\]/,
    );
  });

  test('of no square image are refused', () => {
    expect(() => ofPixels(vector(1), [13])).toThrow(
      /or as many values as a square image has, found \[\?, 13\]/,
    );
  });
});

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

  test('ceil_mode: windows at the end are clipped, with padding too', () => {
    const pooled = (op: string, features: number, attributes: object) => {
      const windows = { kernel_shape: [3, 3], strides: [2, 2], ceil_mode: 1, ...attributes };
      return foreign((graph, x) => flat(graph, graph.node(op, [x], 'pool', windows)), features).model
        .layers[1];
    };
    const usual = { kernelSize: [3, 3], stride: [2, 2] };
    expect(pooled('MaxPool', 36, { pads: [1, 1, 1, 1] }).attributes).toEqual({
      ...usual,
      padding: { top: 1, bottom: 2, left: 1, right: 2 },
    });
    const end = { top: 0, bottom: 1, left: 0, right: 1 };
    for (const counts of [0, 1])
      expect(pooled('AveragePool', 16, { count_include_pad: counts }).attributes).toEqual({
        ...usual,
        padding: end,
        countIncludePad: false,
      });
    expect(() => pooled('AveragePool', 36, { count_include_pad: 1, pads: [1, 1, 1, 1] })).toThrow(
      /ceil_mode together with padding that counts/,
    );
  });

  test('group normalisation as PyTorch writes it, with its weights in nodes of their own, and of version 18', () => {
    const written = foreign((graph, x) => {
      const ofGroups = [1, 0].map((value) => graph.tensor('plain', [2], Float32Array.of(value, value)));
      const apart = graph.node('Reshape', [x, graph.list('apart', [0, 2, -1])], 'apart');
      const norm = graph.node('InstanceNormalization', [apart, ...ofGroups], 'norm', {
        epsilon: { float: 0.01 },
      });
      const back = graph.node('Reshape', [norm, graph.list('back', [-1, 4, 4, 4])], 'back');
      const weight = graph.tensor('w4', [4, 1, 1], Float32Array.of(1, 2, 3, 4));
      const bias = graph.tensor('b4', [4, 1, 1], Float32Array.of(5, 6, 7, 8));
      return flat(graph, graph.node('Add', [graph.node('Mul', [back, weight], 'times'), bias], 'plus'));
    }, 64);
    const [, norm] = written.model.layers;
    expect(norm).toMatchObject({ op: 'group_norm', attributes: { numGroups: 2, eps: 0.01, affine: true } });
    const own = (found: typeof written, name: string) => [...(found.parameters.get(name)?.data ?? [])];
    expect(own(written, `${norm.name}.weight`)).toEqual([1, 2, 3, 4]);
    expect(own(written, `${norm.name}.bias`)).toEqual([5, 6, 7, 8]);
    const older = foreign((graph, x) => {
      const ofGroups = [2, 3].map((value) => graph.tensor('w', [2], Float32Array.of(value, -value)));
      return flat(graph, graph.node('GroupNormalization', [x, ...ofGroups], 'gn', { num_groups: 2 }));
    }, 64);
    expect(older.model.layers[1]).toMatchObject({ op: 'group_norm', attributes: { numGroups: 2 } });
    expect(own(older, 'gn.weight')).toEqual([2, 2, -2, -2]);
    expect(own(older, 'gn.bias')).toEqual([3, 3, -3, -3]);
    expect(() =>
      foreign((graph, x) => graph.node('Reshape', [x, graph.list('apart', [0, 2, -1])], 'apart'), 64),
    ).toThrow(/its input is a change of shape, for which wgrad has no layer/);
  });

  test('SAME_LOWER: the odd row and column are before the others', () => {
    const found = foreign((graph, x) => {
      const windows = { kernel_shape: [2, 3], strides: [1, 2], auto_pad: 'SAME_LOWER' };
      return flat(graph, graph.node('MaxPool', [x], 'pool', windows));
    }, 32);
    expect(found.model.layers[1].attributes).toMatchObject({
      padding: { top: 1, bottom: 0, left: 1, right: 0 },
    });
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

  test('means with the zeros of a Pad; weights that two nodes share; an output of one value per channel', () => {
    const found = changed((proto) => {
      const graph = new GraphBuilder();
      const weight = graph.tensor('w', [2, 2, 3, 3], new Float32Array(36).fill(0.5));
      const pads = graph.list('p', [0, 0, 1, 1, 0, 0, 1, 1]);
      const padded = graph.node('Pad', ['images', pads], 'padded');
      const mean = graph.node('AveragePool', [padded], 'mean', { kernel_shape: [3, 3] });
      const once = graph.node('Conv', [mean, weight], 'once');
      const twice = graph.node('Conv', [once, weight], 'twice');
      graph.node('GlobalMaxPool', [twice], 'logits');
      if (!proto.graph) return;
      proto.graph.node = graph.nodes;
      proto.graph.initializer = graph.tensors;
    });
    const { model, notes } = fromOnnx('net.onnx', found);
    expect(model.layers.map(({ op }) => op)).toEqual([
      'avg_pool',
      'conv',
      'conv',
      'adaptive_max_pool',
      'flatten',
    ]);
    expect(model.layers[0].attributes).toEqual({ kernelSize: [3, 3], stride: [1, 1], padding: [1, 1] });
    expect(model.classes).toBe(2);
    expect(notes).toEqual([expect.stringContaining('were copied')]);
  });

  test.each<[string, number, number, number[]]>([
    ['bytes', 2, 1, [0, 0, 0, 0]],
    ['numbers of 0 to 255', 1, 255, [0.5, 0.5, 0.25, 0.25]],
  ])('images of %s are those in [0, 1] here', (_, elemType, std, wanted) => {
    const found = changed((proto) => {
      const graph = new GraphBuilder();
      const mean = graph.tensor('m', [2, 1, 1], Float32Array.of(127.5, 127.5));
      const own = graph.tensor('s', [1, 2, 1, 1], Float32Array.of(63.75, 63.75));
      const real = graph.node('Cast', ['images'], 'real', { to: 1 });
      const centred = std === 1 ? real : graph.node('Sub', [real, mean], 'centred');
      const whitened = std === 1 ? centred : graph.node('Div', [centred, own], 'whitened');
      const flattened = graph.node('Flatten', [whitened], 'flattened', { axis: 1 });
      graph.node('MatMul', [flattened, graph.tensor('w', [72, 3], new Float32Array(216))], 'logits');
      if (!proto.graph) return;
      proto.graph.node = graph.nodes;
      proto.graph.initializer = graph.tensors;
      const type = proto.graph.input[0].type?.value;
      if (type?.case === 'tensorType') type.value.elemType = elemType;
    });
    const { info } = fromOnnx('net.onnx', found);
    const { mean = [], std: deviation = [] } = info.normalisation ?? {};
    expect([...mean, ...deviation]).toEqual(std === 1 ? [0, 0, 1 / 255, 1 / 255] : wanted);
  });

  test('padding that no other layer can take is a layer', () => {
    const found = foreign(
      (graph, x) => {
        const pad = (from: string, wanted: string, fill: number, size = 1) =>
          graph.node(
            'Pad',
            [from, graph.list('p', [0, 0, size, size, 0, 0, size, size]), scalar(graph, 'v', fill)],
            wanted,
          );
        const none = pad(x, 'none', 0, 0);
        const wide = graph.node('AveragePool', [pad(none, 'wide', 0, 2)], 'pool1', { kernel_shape: [3, 3] });
        const both = { kernel_shape: [3, 3], pads: [1, 1, 1, 1] };
        const mixed = graph.node('AveragePool', [pad(wide, 'zeros', 0)], 'pool2', both);
        const largest = graph.node('MaxPool', [pad(mixed, 'max', 0)], 'pool3', { kernel_shape: [2, 2] });
        const weight = graph.tensor('d.weight', [4, 4, 2, 2], new Float32Array(64));
        const conv = { auto_pad: 'SAME_UPPER' };
        const same = graph.node('Conv', [pad(largest, 'same', 0), weight], 'conv1', conv);
        return flat(graph, graph.node('Conv', [pad(same, 'ones', 1), weight], 'conv2'));
      },
      4 * 12 * 12,
    );
    expect(
      found.model.layers.slice(1, -2).map(({ op, attributes }) => [op, attributes?.['padding']]),
    ).toEqual([
      ['pad', [2, 2]],
      ['avg_pool', undefined],
      ['pad', [1, 1]],
      ['avg_pool', [1, 1]],
      ['pad', [1, 1]],
      ['max_pool', undefined],
      ['pad', [1, 1]],
      ['conv', 'same'],
      ['pad', [1, 1]],
      ['conv', undefined],
    ]);
    expect(found.model.layers.at(-4)?.attributes).toMatchObject({ value: 1 });
  });

  test('padding by its axes, in any order', () => {
    const found = foreign(
      (graph, x) => {
        const pads = [graph.list('p', [2, 0, 1, 3]), scalar(graph, 'v', 0), graph.list('a', [-1, 2])];
        const padded = graph.node('Pad', [x, ...pads], 'padded');
        const second = graph.tensor('d.weight', [4, 4, 3, 3], new Float32Array(144));
        return flat(graph, graph.node('Conv', [padded, second], 'd'));
      },
      4 * 5 * 5,
    );
    expect(found.model.layers[1].attributes?.['padding']).toEqual({ top: 0, bottom: 3, left: 2, right: 1 });
  });

  test('a softmax at the end, over the classes', () => {
    const ending = (axis: number) =>
      changed(({ graph }) => {
        if (!graph) return;
        const builder = new GraphBuilder();
        builder.node('Softmax', [graph.output[0].name], 'probabilities', { axis });
        graph.node.push(...builder.nodes);
        graph.output[0].name = 'probabilities';
      });
    for (const axis of [1, -1])
      expect(fromOnnx('net.onnx', ending(axis)).notes).toEqual([expect.stringContaining('was left out')]);
    expect(() => fromOnnx('net.onnx', ending(0))).toThrow(
      /\(Softmax\): expected axis 1, that of the classes, found 0/,
    );
  });

  test.each<[string, (graph: GraphBuilder, from: string) => string, RegExp]>([
    [
      'a sum of one value per column, as many as there are channels',
      (graph, x) => flat(graph, graph.node('Add', [x, graph.tensor('row', [4], new Float32Array(4))], 'sum')),
      /\(Add\): wgrad has no layer that adds a constant, except biases/,
    ],
    [
      'rows that become other rows',
      (graph, x) => graph.node('Reshape', [x, graph.list('sizes', [-1, 32])], 'view'),
      /\(Reshape\): wgrad has no layer that changes the shape to \[-1, 32\]/,
    ],
    [
      'a constant that two layers are added to',
      (graph, x) => {
        const other = graph.node('Relu', [x], 'other');
        const bias = graph.tensor('c.bias', [4, 1, 1], new Float32Array(4));
        return flat(graph, graph.node('Sum', [bias, x, other], 'sum'));
      },
      /\(Sum\): expected a constant and one more input, found 3 inputs/,
    ],
    [
      'a constant added where another node passes on the same output',
      (graph, x) => {
        const same = graph.node('Identity', [x], 'same');
        const sum = graph.node('Add', [same, graph.tensor('c.bias', [4, 1, 1], new Float32Array(4))], 'sum');
        return flat(graph, graph.node('Add', [sum, graph.node('Relu', [x], 'relu')], 'both'));
      },
      /\(Add\): wgrad has no layer that adds a constant, except biases/,
    ],
    [
      'a row and a column of sizes, added to a matrix',
      (graph, x) => {
        const sum = graph.node(
          'Add',
          [graph.tensor('row', [1, 2], [1, 2]), graph.tensor('col', [2, 1], [1, 2])],
          'sum',
        );
        return graph.node('Reshape', [x, sum], 'view');
      },
      /\(Add\): expected two constants of the same shape, or one with a single value/,
    ],
    [
      'sizes below zero',
      (graph, x) =>
        graph.node('Reshape', [x, graph.node('ConstantOfShape', [graph.list('n', [-1])], 'sizes')], 'view'),
      /\(ConstantOfShape\): expected dimensions of at least 0, found \[-1\]/,
    ],
    [
      'a batch axis of one, taken away',
      (graph, x) =>
        graph.node(
          'Squeeze',
          [then('GlobalAveragePool', (_, of) => [of])(graph, x), graph.list('a', [0])],
          's',
        ),
      /\(Squeeze\): expected axes 2 and 3, and height and width of 1/,
    ],
    [
      'numbers that become whole',
      then('Cast', (_, x) => [x], { to: 7 }),
      /\(Cast\): wgrad has no layer that converts values to integers/,
    ],
    [
      'sizes of many values',
      (graph, x) => {
        const sizes = graph.node('ConstantOfShape', [graph.list('n', [1000])], 'sizes');
        return graph.node('Reshape', [x, sizes], 'view');
      },
      /\(ConstantOfShape\): it computes 1000 values; expected at most 256/,
    ],
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
      'repeated edges',
      then('Pad', (graph, x) => [x, graph.list('p', [0, 0, 1, 1, 0, 0, 1, 1])], { mode: 'edge' }),
      /\(Pad\): expected mode constant or reflect, found edge/,
    ],
    [
      'padding of channels, by its axes',
      (graph, x) => {
        const pads = [graph.list('p', [1, 1]), scalar(graph, 'v', 0), graph.list('a', [-3])];
        return flat(graph, then('Pad', (_, of) => [of, ...pads])(graph, x));
      },
      /\(Pad\): expected padding of height and width only, found \[1, 1\]/,
    ],
    [
      'infinite padding that nothing takes',
      (graph, x) => {
        const pads = [graph.list('p', [0, 0, 1, 1, 0, 0, 1, 1]), scalar(graph, 'v', -Infinity)];
        return flat(graph, then('Pad', (_, of) => [of, ...pads])(graph, x));
      },
      /\(Flatten\): its input is padding with an infinite value, which only max pooling can take/,
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
      /tensor "conv.weight": expected at most 8 dimensions/,
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

  test('thousands of layers with one matrix take its memory once', () => {
    const before = process.memoryUsage().arrayBuffers;
    const start = processorTime();
    const read = () =>
      foreign((graph, from) => {
        const first = graph.tensor('first', [64, 1000], new Float32Array(64_000));
        const square = graph.tensor('square', [1000, 1000], new Float32Array(1e6));
        const row = graph.node('Flatten', [from], graph.unique('f'));
        let last = graph.node('MatMul', [row, first], graph.unique('m'));
        for (let i = 0; i < 300; i++) last = graph.node('MatMul', [last, square], graph.unique('m'));
        return last;
      }, 1000);
    expect(read).toThrow(/^net\.onnx, layer "m\w+": expected tensors of at most \d+ bytes in a file of \d+/);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50e6);
    expectWithin(1500, start);
  });

  test('empty nodes, and numbers of one byte each, do not take many times the memory of their file', () => {
    const nodes = changed(({ graph }) => {
      graph!.node = Array.from({ length: 400_000 }, () => create(NodeProtoSchema));
    });
    const numbers = changed(({ graph }) => {
      graph!.initializer.push(create(TensorProtoSchema, { int64Data: Array<bigint>(3e6).fill(0n) }));
    });
    const start = processorTime();
    for (const file of [nodes, numbers])
      expect(() => fromOnnx('net.onnx', file)).toThrow(
        /^net\.onnx, its nodes and their attributes: expected tensors of at most \d+ bytes in a file of \d+/,
      );
    expectWithin(800, start);
  });

  test('a weight that some layers share is read', () => {
    const found = foreign((graph, from) => {
      const square = graph.tensor('square', [64, 64], new Float32Array(64 ** 2));
      let last = flat(graph, from);
      for (let i = 0; i < 60; i++) last = graph.node('MatMul', [last, square], graph.unique('m'));
      return last;
    }, 64);
    expect(found.model.layers).toHaveLength(63);
  });

  test.each<[string, (proto: ModelProto) => void, RegExp]>([
    [
      'images of 200,000,000 channels',
      ({ graph }) => {
        const type = graph?.input[0].type?.value;
        if (type?.case !== 'tensorType') return;
        type.value.elemType = TensorProto_DataType.UINT8;
        const dim = type.value.shape?.dim[1];
        if (dim) dim.value = { case: 'dimValue', value: 200_000_000n };
      },
      /^net\.onnx, input "images": expected images with sizes of at most 4096, .* found \[200000000, 6, 6\]/,
    ],
    [
      'images of 4096 x 4096 x 4096',
      ({ graph }) => {
        const type = graph?.input[0].type?.value;
        if (type?.case !== 'tensorType') return;
        for (const dim of type.value.shape?.dim.slice(1) ?? [])
          dim.value = { case: 'dimValue', value: 4096n };
      },
      /^net\.onnx, input "images": expected images with .* 67108864 values, found \[4096, 4096, 4096\]/,
    ],
    [
      'a matrix without values for 200,000,000 outputs',
      ({ graph }) => {
        for (const tensor of graph?.initializer ?? []) {
          if (tensor.name === 'fc.weight')
            Object.assign(tensor, { dims: [200_000_000n, 0n], rawData: new Uint8Array() });
          if (tensor.name === 'fc.bias') Object.assign(tensor, { dims: [], rawData: new Uint8Array(4) });
        }
      },
      /^net\.onnx, tensor "fc\.weight": expected sizes of at most 256 without values, found \[200000000, 0\]/,
    ],
    [
      'a constant that is computed with such sizes',
      ({ graph }) => {
        const more = new GraphBuilder();
        const none = more.node('ConstantOfShape', [more.list('s', [200_000_000, 0])], 'none');
        more.node('Gather', [none, more.list('i', [])], 'some', { axis: 1 });
        graph?.node.unshift(...more.nodes);
        graph?.initializer.push(...more.tensors);
      },
      /^net\.onnx, node "none" \(ConstantOfShape\): it computes \[200000000, 0\] without values/,
    ],
  ])('%s take no memory', (_, change, message) => {
    const file = changed(change);
    const start = processorTime();
    const before = process.memoryUsage();
    expect(() => fromOnnx('net.onnx', file)).toThrow(expect.objectContaining({ code: 'bad-file' }));
    expect(() => fromOnnx('net.onnx', file)).toThrow(message);
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    expect(arrayBuffers + heapUsed - before.arrayBuffers - before.heapUsed).toBeLessThan(50e6);
    expectWithin(200, start);
  });

  test('a thousand tensors that are one file beside the model', async () => {
    const { file, data } = withDataBeside();
    const proto = fromBinary(ModelProtoSchema, file);
    const more = new Uint8Array(2e6);
    const externalData = [create(StringStringEntryProtoSchema, { key: 'location', value: 'more' })];
    for (let i = 0; i < 1000; i++)
      proto.graph?.initializer.push(
        create(TensorProtoSchema, {
          name: `conv.${i}`,
          dims: [500_000n],
          dataType: TensorProto_DataType.FLOAT,
          dataLocation: TensorProto_DataLocation.EXTERNAL,
          externalData,
        }),
      );
    const whole = toBinary(ModelProtoSchema, proto);
    const start = processorTime();
    const beside = async (name: string) => (name === 'more' ? more : data);
    await expect(fromOnnxFiles('net.onnx', whole, beside)).rejects.toMatchObject({
      code: 'bad-file',
      message: expect.stringMatching(/^net\.onnx, tensor "conv\.\d+": expected tensors of at most \d+ bytes/),
    });
    expectWithin(400, start);
  });

  test('metadata of a model that takes many nodes for each layer', () => {
    const pools = Array.from({ length: 10 }, (_, i) => ({
      name: `p${i}`,
      op: 'adaptive_max_pool',
      attributes: { outputSize: [1000, 1] },
    }));
    const file = changed(({ metadataProps }) => {
      const model = { ...SMALL, layers: [...pools, ...SMALL.layers.slice(2)] };
      metadataProps.push(create(StringStringEntryProtoSchema, { key: 'model', value: toJson(model) }));
    });
    const proto = fromBinary(ModelProtoSchema, file);
    for (const tensor of proto.graph?.initializer ?? []) {
      if (tensor.name !== 'fc.weight') continue;
      tensor.dims = [3n, 2000n];
      tensor.rawData = new Uint8Array(4 * 3 * 2000);
    }
    if (proto.graph)
      proto.graph.initializer = proto.graph.initializer.filter(({ name }) => name.startsWith('fc'));
    const start = processorTime();
    expect(() => fromOnnx('net.onnx', toBinary(ModelProtoSchema, proto))).toThrow(/^net\.onnx/);
    expectWithin(400, start);
  });

  test('a file that wgrad wrote without the normalisation gives its model', () => {
    const info = { normalisation: { mean: [0.5, 0.25], std: [0.5, 1] } };
    const { model } = fromOnnx('net.onnx', toOnnx({ ...trained(SMALL), info }, { normalise: false }));
    expect(model).toEqual(SMALL);
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

  /** The small network with its values in another file, as PyTorch 2 writes it. */
  const withDataBeside = (entries: Record<string, string> = {}) => {
    let data: number[] = [];
    const file = changed(({ graph }) => {
      for (const tensor of graph?.initializer ?? []) {
        const place = {
          location: 'net.onnx.data',
          offset: `${data.length}`,
          length: `${tensor.rawData.length}`,
        };
        data = [...data, ...tensor.rawData];
        tensor.rawData = new Uint8Array();
        tensor.dataLocation = TensorProto_DataLocation.EXTERNAL;
        tensor.externalData = Object.entries({ ...place, ...entries }).map(([key, value]) =>
          create(StringStringEntryProtoSchema, { key, value }),
        );
      }
    });
    return { file, data: Uint8Array.from(data) };
  };

  test('weights in a file beside the model', async () => {
    const { file, data } = withDataBeside();
    const beside = async (name: string) => (name === 'net.onnx.data' ? data : undefined);
    const { parameters } = await fromOnnxFiles('net.onnx', file, beside);
    expect(parameters).toEqual(
      fromOnnx(
        'net.onnx',
        changed(() => {}),
      ).parameters,
    );
    await expect(fromOnnxFiles('net.onnx', file, async () => undefined)).rejects.toMatchObject({
      code: 'not-found',
      message: 'net.onnx: its weights in net.onnx.data are missing',
    });
    await expect(fromOnnxFiles('net.onnx', file, async () => data.subarray(4))).rejects.toThrow(
      /^net\.onnx, tensor "fc.bias": expected bytes \d+ to \d+ of net\.onnx\.data, found \d+ bytes/,
    );
  });

  test.each([
    [{ location: '..' }, 'expected the name of a file in the same folder, found ".."'],
    [{ location: './..' }, 'expected the name of a file in the same folder, found ".."'],
    [{ location: '.hidden' }, 'expected the name of a file in the same folder, found ".hidden"'],
    [{ location: '' }, 'expected the name of a file in the same folder, found ""'],
    [{ location: '../secret' }, 'expected the name of a file in the same folder, found "../secret"'],
    [{ location: '/etc/passwd' }, 'expected the name of a file in the same folder, found "/etc/passwd"'],
    [{ offset: '-1' }, 'expected a whole number as its offset, found "-1"'],
    [{ length: '1e9' }, 'expected a whole number as its length, found "1e9"'],
  ])('weights beside the model at %o', async (entries, message) => {
    const { file, data } = withDataBeside(entries);
    await expect(fromOnnxFiles('net.onnx', file, async () => data)).rejects.toThrow(
      `net.onnx, tensor "conv.weight": ${message}`,
    );
  });

  const TRIES = count(60, 300, 2000);
  test(`${TRIES} mutations give a network or a Failure with its place, quickly`, () => {
    const files = [SMALL, ...ODD_MODELS.slice(0, 3)].flatMap((model) => [
      toOnnx(trained(model)),
      changed(() => {}, model),
    ]);
    const { file, data } = withDataBeside();
    const all = [...files, file, ...['folded', 'dynamic', 'whole'].map(exportedByPyTorch)];
    return expectResultOrFailure({
      kind: 'onnx',
      tries: TRIES,
      file: (random, seed) => mutate(all[seed % all.length], random),
      read: (mutated) => fromOnnxFiles('net.onnx', mutated, async () => data),
      place: /^net\.onnx/,
    });
  });
});
