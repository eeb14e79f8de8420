/** How each op is written in ONNX: https://onnx.ai/onnx/operators/ */
import type { Pair } from '../../base/shape.ts';
import {
  numberOf,
  paddingOf,
  pairOf,
  softplusThreshold,
  type SourceLayer,
} from '../../models/code/source.ts';
import type { GraphBuilder } from './build.ts';

/** What writing a layer needs. */
export interface OnnxWriting {
  graph: GraphBuilder;
  layer: SourceLayer;
  /** The names of its inputs' values. */
  inputs: readonly string[];
  /** The name that its output gets. */
  output: string;
  /** The tensor of a parameter or buffer, undefined if the layer has none of this name. */
  parameter(name: string): string | undefined;
}

type Writer = (writing: OnnxWriting) => void;

/** An op that is one node without attributes. */
const plain =
  (opType: string): Writer =>
  ({ graph, inputs, output }) => {
    graph.node(opType, inputs, output);
  };

const present = (names: readonly (string | undefined)[]): string[] =>
  names.filter((name) => name !== undefined);

/** Window, stride, dilation and padding. ONNX's pads are [top, left, bottom, right]. */
function windowOf(layer: SourceLayer, usualStride: Pair) {
  const { top, bottom, left, right } = paddingOf(layer);
  return {
    kernel_shape: pairOf(layer, 'kernelSize', [1, 1]),
    strides: pairOf(layer, 'stride', usualStride),
    pads: [top, left, bottom, right],
  };
}

const pooled = (opType: string, more: (layer: SourceLayer) => Record<string, number | Pair>): Writer =>
  function write({ graph, layer, inputs, output }) {
    const window = windowOf(layer, pairOf(layer, 'kernelSize', [1, 1]));
    graph.node(opType, inputs, output, { ...window, ...more(layer) });
  };

/**
 * Adaptive pooling. Its windows are rows times columns, so that rows are pooled first, then columns; of each, window i
 * of n over `size` is [floor(i size / n), ceil((i + 1) size / n)), as in PyTorch.
 */
const adaptive = (reduce: string, global: string): Writer =>
  function write({ graph, layer, inputs: [input], output }) {
    const counts = pairOf(layer, 'outputSize', [1, 1]);
    if (counts.every((count) => count === 1)) {
      graph.node(global, [input], output);
      return;
    }
    const between = graph.unique(`${layer.name}/rows`);
    poolAxis(2, counts[0], layer.inputs[0][1], input, between);
    poolAxis(3, counts[1], layer.inputs[0][2], between, output);

    function poolAxis(axis: number, count: number, size: number, from: string, to: string): void {
      const axes = graph.list(layer.name, [axis]);
      const windows = Array.from({ length: count }, (_, i) => {
        const start = graph.list(layer.name, [Math.floor((i * size) / count)]);
        const end = graph.list(layer.name, [Math.ceil(((i + 1) * size) / count)]);
        const window = graph.node('Slice', [from, start, end, axes], graph.unique(`${layer.name}/window`));
        return graph.node(reduce, [window, axes], graph.unique(`${layer.name}/pooled`), { keepdims: 1 });
      });
      graph.node('Concat', windows, to, { axis });
    }
  };

/** By the op's name in models. */
export const WRITERS: Readonly<Record<string, Writer>> = {
  conv: ({ graph, layer, inputs, output, parameter }) => {
    const tensors = present([parameter('weight'), parameter('bias')]);
    graph.node('Conv', [...inputs, ...tensors], output, {
      ...windowOf(layer, [1, 1]),
      dilations: pairOf(layer, 'dilation', [1, 1]),
      group: numberOf(layer, 'groups', 1),
    });
  },
  linear: ({ graph, inputs, output, parameter }) => {
    const tensors = present([parameter('weight'), parameter('bias')]);
    graph.node('Gemm', [...inputs, ...tensors], output, { transB: 1 });
  },
  batch_norm: ({ graph, layer, inputs, output, parameter }) => {
    const tensors = present(['weight', 'bias', 'running_mean', 'running_var'].map(parameter));
    graph.node('BatchNormalization', [...inputs, ...tensors], output, {
      epsilon: { float: numberOf(layer, 'eps', 1e-5) },
      // The share that stays; PyTorch's is the share that a batch adds.
      momentum: { float: 1 - numberOf(layer, 'momentum', 0.1) },
    });
  },
  relu: plain('Relu'),
  sigmoid: plain('Sigmoid'),
  tanh: plain('Tanh'),
  silu: ({ graph, layer, inputs: [input], output }) => {
    const gate = graph.node('Sigmoid', [input], graph.unique(`${layer.name}/sigmoid`));
    graph.node('Mul', [input, gate], output);
  },
  leaky_relu: ({ graph, layer, inputs, output }) => {
    graph.node('LeakyRelu', inputs, output, { alpha: { float: numberOf(layer, 'negativeSlope', 0.01) } });
  },
  elu: ({ graph, layer, inputs, output }) => {
    graph.node('Elu', inputs, output, { alpha: { float: numberOf(layer, 'alpha', 1) } });
  },
  gelu: ({ graph, layer, inputs, output }) => {
    const approximate = layer.attributes['approximate'] === 'tanh' ? 'tanh' : 'none';
    graph.node('Gelu', inputs, output, { approximate });
  },
  softplus: ({ graph, layer, inputs: [input], output }) => {
    const beta = numberOf(layer, 'beta', 1);
    const threshold = softplusThreshold(layer);
    if (threshold === undefined) {
      soft(output);
      return;
    }
    const limit = graph.tensor(`${layer.name}/threshold`, [], Float32Array.of(threshold / beta));
    const above = graph.node('Greater', [input, limit], graph.unique(`${layer.name}/above`));
    graph.node('Where', [above, input, soft(graph.unique(`${layer.name}/below`))], output);

    function soft(to: string): string {
      if (beta === 1) return graph.node('Softplus', [input], to);
      const factor = graph.tensor(`${layer.name}/beta`, [], Float32Array.of(beta));
      const scaled = graph.node('Mul', [input, factor], graph.unique(`${layer.name}/scaled`));
      const own = graph.node('Softplus', [scaled], graph.unique(`${layer.name}/softplus`));
      return graph.node('Div', [own, factor], to);
    }
  },
  scale: ({ graph, layer, inputs: [input], output }) => {
    const factor = graph.tensor(`${layer.name}/factor`, [], Float32Array.of(numberOf(layer, 'factor', 1)));
    graph.node('Mul', [input, factor], output);
  },
  dropout: ({ graph, layer, inputs: [input], output }) => {
    const ratio = graph.tensor(`${layer.name}/ratio`, [], Float32Array.of(numberOf(layer, 'p', 0.5)));
    graph.node('Dropout', [input, ratio], output);
  },
  maxout: ({ graph, layer, inputs: [input], output }) => {
    const [channels, ...plane] = layer.output;
    const pieces = numberOf(layer, 'pieces', 1);
    // 0 keeps N.
    const sizes = graph.list(layer.name, [0, channels, pieces, ...plane]);
    const apart = graph.node('Reshape', [input, sizes], graph.unique(`${layer.name}/pieces`));
    graph.node('ReduceMax', [apart, graph.list(layer.name, [2])], output, { keepdims: 0 });
  },
  max_pool: pooled('MaxPool', (layer) => ({ dilations: pairOf(layer, 'dilation', [1, 1]) })),
  avg_pool: pooled('AveragePool', ({ attributes }) => ({
    count_include_pad: attributes['countIncludePad'] === false ? 0 : 1,
  })),
  adaptive_max_pool: adaptive('ReduceMax', 'GlobalMaxPool'),
  adaptive_avg_pool: adaptive('ReduceMean', 'GlobalAveragePool'),
  add: ({ graph, inputs, output }) => {
    graph.node(inputs.length === 2 ? 'Add' : 'Sum', inputs, output);
  },
  concat: ({ graph, inputs, output }) => {
    graph.node('Concat', inputs, output, { axis: 1 });
  },
  flatten: ({ graph, inputs, output }) => {
    graph.node('Flatten', inputs, output, { axis: 1 });
  },
};
