import { elements } from '../../base/shape.ts';
import type { Formats } from '../formats.ts';
import type { KerasReader } from '../keras.ts';
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

const readKeras: KerasReader = (network, layer) => {
  const value = network.input(layer);
  const flat = (of: string) => network.addLayer(layer.name, 'flatten', [of]);
  if (value.kind === 'channels first') return { kind: 'layer', layer: flat(value.of) };
  if (value.kind === 'pooled' || network.arePixels(value)) return value;
  const of = network.source(layer);
  const shape = network.shapeOf(of);
  if (shape.length === 1) return value;
  const apart = shape[0] > 1 && elements(shape.slice(1)) > 1;
  return { kind: 'layer', layer: flat(of), ...(apart ? { heldAs: shape } : {}) };
};

/** To a vector, or of what comes as a vector to images. */
const readReshape: KerasReader = (network, layer) => {
  const target = layer.config.at('target_shape');
  // An operation of that name, not the layer.
  if (target.isAbsent) throw network.unsupported(layer, 'wgrad has no layer for it');
  const sizes = target.items('sizes', 1, 8).map((size) => size.number(-1, 2 ** 31));
  if (sizes.length === 1) return readKeras(network, layer);
  const value = network.input(layer);
  const [C, H, W] = network.images;
  if (network.arePixels(value) && sizes.join() === [H, W, C].join())
    return { kind: 'layer', layer: network.imageSource(layer, value) };
  if (value.kind === 'pooled' && sizes.length === 3 && sizes[0] === 1 && sizes[1] === 1)
    return { kind: 'layer', layer: value.of };
  throw network.unsupported(layer, `wgrad has no layer that changes the shape to [${sizes.join(', ')}]`);
};

const readPermute: KerasReader = (network, layer) => {
  const axes = layer.config.at('dims').items('axes', 1, 8);
  const dims = axes.map((axis) => axis.whole(0, 8));
  if (dims.join() !== '3,1,2')
    throw network.unsupported(layer, `expected dims 3, 1, 2 before a Flatten, found ${dims.join(', ')}`);
  return { kind: 'channels first', of: network.source(layer) };
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
    read: { Flatten: readKeras, Reshape: readReshape, Permute: readPermute },
  },
} satisfies Formats;
