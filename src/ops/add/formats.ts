import type { Formats } from '../formats.ts';
import { joined } from '../tfjs.ts';

export default {
  op: 'add',
  pytorch: { call: (_, inputs) => inputs.join(' + ') },
  keras: ({ inputs, called }) => [called('Add', [], [], `[${inputs.join(', ')}]`)],
  onnx: {
    write({ graph, inputs, output }) {
      graph.node(inputs.length === 2 ? 'Add' : 'Sum', inputs, output);
    },
  },
  tfjs: { write: joined('Add'), nonNegative: 'keeps' },
} satisfies Formats;
