import type { Formats } from '../formats.ts';
import type { OnnxReader } from '../onnx.ts';
import { joined, joining } from '../tfjs.ts';

const sum: OnnxReader = (network, node) => {
  // A constant is a bias, or how the images are normalised.
  if (node.input.some((_, i) => network.isConstant(node, i))) return false;
  network.add(
    node,
    'add',
    node.input.map((_, i) => network.source(node, i)),
  );
  return true;
};

export default {
  op: 'add',
  pytorch: { call: (_, inputs) => inputs.join(' + ') },
  keras: ({ inputs, called }) => [called('Add', [], [], `[${inputs.join(', ')}]`)],
  onnx: {
    write({ graph, inputs, output }) {
      graph.node(inputs.length === 2 ? 'Add' : 'Sum', inputs, output);
    },
    read: { Add: sum, Sum: sum },
  },
  tfjs: { write: joined('Add'), nonNegative: 'keeps', read: { Add: joining('add') } },
} satisfies Formats;
