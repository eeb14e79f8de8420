import { attributeArguments, channels, further, type Formats } from '../formats.ts';
import { numberOf, type SourceLayer } from '../layer.ts';
import { present } from '../onnx.ts';
import attributes from './attributes.ts';

const slopesOf = (layer: SourceLayer) => numberOf(layer, 'numParameters');
const initOf = attributeArguments({ init: attributes.init });
/** Keras has a slope for each value, but for the axes that share theirs. */
const sharedAxes = (layer: SourceLayer): number[] =>
  layer.output.map((_, i) => i + 1).slice(0, slopesOf(layer) === 1 ? undefined : -1);

export default {
  op: 'prelu',
  pytorch: {
    module: (layer) =>
      slopesOf(layer) === 1
        ? [`nn.PReLU(${initOf(layer)})`]
        : ['nn.PReLU(', channels(slopesOf(layer), 'out_channels'), `${further(initOf(layer))})`],
  },
  keras: ({ layer, simple }) =>
    simple('PReLU', [
      ['alpha_initializer', `keras.initializers.Constant(${numberOf(layer, 'init')})`, ''],
      ['shared_axes', `[${sharedAxes(layer).join(', ')}]`, '[]'],
    ]),
  onnx: {
    write({ graph, layer, inputs, output, parameter }) {
      const [weight] = present([parameter('weight')]);
      const sizes = [slopesOf(layer), ...layer.output.slice(1).map(() => 1)];
      const shaped = graph.node(
        'Reshape',
        [weight, graph.list(layer.name, sizes)],
        graph.unique(`${layer.name}/slopes`),
      );
      graph.node('PRelu', [...inputs, shaped], output);
    },
    read: {
      PRelu(network, node) {
        const source = network.source(node);
        const slope = network.constantInput(node, 1);
        if (!slope) throw network.bad(node, 'expected slopes, found none');
        const { shape, data } = slope;
        const count = data.length;
        const [C, ...plane] = network.shapeOf(source);
        if (count !== 1 && !(count === C && shape.at(-1 - plane.length) === C))
          throw network.unsupported(
            node,
            `expected one slope or ${C}, one a channel, found [${shape.join(', ')}]`,
          );
        const weight = { ...slope, shape: [count] };
        network.add(node, 'prelu', [source], { numParameters: count }, { weight });
        return true;
      },
    },
  },
  tfjs: {
    write({ graph, layer, inputs }) {
      const shared = sharedAxes(layer);
      const name = graph.add('PReLU', layer.name, inputs, shared.length > 0 ? { shared_axes: shared } : {});
      const shape = layer.output.map((_, i, all) => (i === all.length - 1 ? slopesOf(layer) : 1));
      graph.weight(name, 'alpha', [`${layer.name}.weight`, shape, shape.map((_, i) => i)]);
      return name;
    },
    read: {
      PReLU(network, layer) {
        const of = network.source(layer);
        const { shape, data } = network.weight(layer, 'alpha', network.shapeOf(of).length);
        const [count, ...rest] = shape.toReversed();
        if (rest.some((size) => size !== 1))
          throw network.unsupported(
            layer,
            `expected one slope, or one a channel, found ${data.length}; share axes 1 and 2`,
          );
        return network.add(
          layer,
          'prelu',
          [of],
          { numParameters: count },
          { weight: { shape: [count], data } },
        );
      },
    },
    variables: { PReLU: () => ['alpha'] },
  },
} satisfies Formats;
