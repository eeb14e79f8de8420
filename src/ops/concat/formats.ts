import type { Formats } from '../formats.ts';
import { wholeOf } from '../onnx.ts';
import { joined, joining } from '../tfjs.ts';

export default {
  op: 'concat',
  pytorch: { call: (_, inputs) => `torch.cat([${inputs.join(', ')}], 1)`, heavy: true },
  keras: ({ inputs, called }) => [called('Concatenate', [], [], `[${inputs.join(', ')}]`)],
  onnx: {
    write({ graph, inputs, output }) {
      graph.node('Concat', inputs, output, { axis: 1 });
    },
    read: {
      Concat(network, node) {
        const axis = wholeOf(node, 'axis', 1);
        if (axis !== 1 && axis !== -3) throw network.unsupported(node, `expected axis 1, found ${axis}`);
        const inputs = node.input.map((_, i) => network.source(node, i));
        network.add(node, 'concat', inputs);
        return true;
      },
    },
  },
  tfjs: {
    write: joined('Concatenate', { axis: -1 }),
    nonNegative: 'keeps',
    read: {
      Concatenate(network, layer) {
        const axis = layer.config.number('axis', -1);
        if (axis !== -1 && axis !== 3) throw network.unsupported(layer, `expected axis -1, found ${axis}`);
        return joining('concat')(network, layer);
      },
    },
  },
} satisfies Formats;
