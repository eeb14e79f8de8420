import { stateless, type Formats } from '../formats.ts';
import { numberOf, type SourceLayer } from '../layer.ts';
import { realOf, rounded } from '../onnx.ts';
import { withNumber } from '../tfjs.ts';

const pOf = (layer: SourceLayer) => numberOf(layer, 'p');

export default {
  op: 'dropout',
  pytorch: stateless('Dropout', 'F.dropout', (layer, module) =>
    module ? String(pOf(layer)) : `${pOf(layer)}, self.training`,
  ),
  keras: ({ layer, simple }) => simple('Dropout', [], [String(pOf(layer))]),
  onnx: {
    write({ graph, layer, inputs: [input], output }) {
      const ratio = graph.tensor(`${layer.name}/ratio`, [], Float32Array.of(pOf(layer)));
      graph.node('Dropout', [input, ratio], output);
    },
    read: {
      Dropout(network, node) {
        const p = rounded(network.numberInput(node, 1) ?? realOf(node, 'ratio', 0.5));
        network.add(node, 'dropout', [network.source(node)], { p });
        return true;
      },
    },
  },
  tfjs: {
    write: withNumber('Dropout', 'rate', 'p'),
    nonNegative: 'keeps',
    classes: { Dropout: (config) => ({ p: config.number('rate', 0.5) }) },
  },
} satisfies Formats;
