import { elements } from '../../base/shape.ts';
import type { Formats } from '../formats.ts';
import type { SourceLayer } from '../layer.ts';
import { axesOf, reshapedTo, wholeOf, type OnnxReader } from '../onnx.ts';

/** Whether PyTorch's order of values, channels first, differs from that of images with channels last. */
const reorders = ({ inputs: [shape] }: SourceLayer) =>
  shape.length === 3 && shape[0] > 1 && elements(shape.slice(1)) > 1;

/** To a vector, which passes. */
const flatten: OnnxReader = (network, node) => {
  const source = network.source(node);
  if (network.shapeOf(source).length === 1) network.passOn(node);
  else network.add(node, 'flatten', [source]);
  return true;
};

export default {
  op: 'flatten',
  pytorch: { module: () => ['nn.Flatten()'], call: (_, [x]) => `torch.flatten(${x}, 1)` },
  keras({ layer, first, called }) {
    const flat = (of: string) => called('Flatten', [], [], of);
    return reorders(layer) ? [`layers.Permute((3, 1, 2))(${first})`, flat('\0')] : [flat(first)];
  },
  onnx: {
    write({ graph, inputs, output }) {
      graph.node('Flatten', inputs, output, { axis: 1 });
    },
    read: {
      Flatten(network, node) {
        const axis = wholeOf(node, 'axis', 1);
        if (axis !== 1) throw network.unsupported(node, `expected axis 1, found ${axis}`);
        return flatten(network, node);
      },
      Reshape(network, node) {
        const [, values, ...more] = reshapedTo(network, node);
        if (values === undefined || more.length > 0) return false;
        const isVector = values === -1 || values === elements(network.shapeOf(network.source(node)));
        return isVector && flatten(network, node);
      },
      /** Of [N, C, 1, 1]. */
      Squeeze(network, node) {
        const source = network.source(node);
        const axes = axesOf(network, node);
        if ((axes && axes.join() !== '2,3') || elements(network.shapeOf(source).slice(1)) !== 1)
          throw network.unsupported(node, 'expected axes 2 and 3, and height and width of 1');
        network.add(node, 'flatten', [source]);
        return true;
      },
    },
  },
  tfjs: {
    nonNegative: 'keeps',
    write({ graph, layer, inputs }) {
      const from = reorders(layer)
        ? [graph.add('Permute', `${layer.name}_channels_first`, inputs, { dims: [3, 1, 2] })]
        : inputs;
      return graph.add('Flatten', layer.name, from, { data_format: 'channels_last' });
    },
  },
} satisfies Formats;
