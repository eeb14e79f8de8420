import type { Formats } from '../formats.ts';
import { joined } from '../tfjs.ts';

export default {
  op: 'concat',
  pytorch: { call: (_, inputs) => `torch.cat([${inputs.join(', ')}], 1)`, heavy: true },
  keras: ({ inputs, called }) => [called('Concatenate', [], [], `[${inputs.join(', ')}]`)],
  onnx: {
    write({ graph, inputs, output }) {
      graph.node('Concat', inputs, output, { axis: 1 });
    },
  },
  tfjs: { write: joined('Concatenate', { axis: -1 }), nonNegative: 'keeps' },
} satisfies Formats;
