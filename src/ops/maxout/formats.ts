import { elements } from '../../base/shape.ts';
import { operandOf, type Formats } from '../formats.ts';
import { numberOf } from '../layer.ts';
import { listOf, reshapedTo, wholeOf, type Onnx } from '../onnx.ts';
import { pooling } from '../tfjs.ts';

/** Channels apart in [N, C / pieces, pieces, ...], then the largest of each. */
const onnx: Onnx = {
  write({ graph, layer, inputs: [input], output }) {
    const [channels, ...plane] = layer.output;
    // 0 keeps N.
    const sizes = graph.list(layer.name, [0, channels, numberOf(layer, 'pieces'), ...plane]);
    const apart = graph.node('Reshape', [input, sizes], graph.unique(`${layer.name}/pieces`));
    graph.node('ReduceMax', [apart, graph.list(layer.name, [2])], output, { keepdims: 0 });
  },
  read: {
    Reshape(network, node) {
      const sizes = reshapedTo(network, node);
      // Of a vector or of an image, with the pieces apart.
      if (sizes.length !== 3 && sizes.length !== 5) return false;
      const [, outputs, pieces, ...rest] = sizes;
      const of = network.source(node);
      const [C, ...plane] = network.shapeOf(of);
      if (outputs * pieces !== C || rest.join() !== plane.join()) return false;
      network.begin(node, { op: 'maxout', of, attributes: { pieces }, words: 'a change of shape' });
      return true;
    },
    ReduceMax(network, node) {
      const begun = network.begunAt(node, 'maxout');
      const axes = listOf(node, 'axes') ?? network.wholeInput(node, 1) ?? [];
      if (!begun || axes.join() !== '2' || wholeOf(node, 'keepdims', 1) === 1) return false;
      network.add(node, 'maxout', [begun.of], begun.attributes);
      return true;
    },
  },
};

export default {
  op: 'maxout',
  pytorch: {
    call: (layer, [x]) => `${operandOf(x)}.unflatten(1, (-1, ${numberOf(layer, 'pieces')})).max(2).values`,
  },
  keras({ layer, first }) {
    const [channels, ...plane] = layer.output;
    const sizes = [...plane, channels, numberOf(layer, 'pieces')];
    return [`ops.max(ops.reshape(${first}, (-1, ${sizes.join(', ')})), axis=-1)`];
  },
  onnx,
  tfjs: {
    nonNegative: 'keeps',
    write({ graph, layer, inputs }) {
      const [channels, ...plane] = layer.output;
      const pieces = numberOf(layer, 'pieces');
      // Channels that compete lie side by side: each set of them becomes the row of an image.
      const rows = { target_shape: [elements(plane) * channels, pieces, 1] };
      const apart = graph.add('Reshape', `${layer.name}_pieces`, inputs, rows);
      const [className, config] = pooling('Max', [1, pieces], [1, pieces]);
      const largest = graph.add(className, `${layer.name}_largest`, [apart], config);
      return graph.add('Reshape', layer.name, [largest], { target_shape: [...plane, channels] });
    },
  },
} satisfies Formats;
