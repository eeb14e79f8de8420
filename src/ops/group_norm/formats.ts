import type { NodeProto } from 'onnx-buf';
import { elements } from '../../base/shape.ts';
import { attributeArguments, channels, further, type Formats } from '../formats.ts';
import { affineOf as affineInKeras, affineVariables, requireLastAxis, type KerasReader } from '../keras.ts';
import { numberOf, type SourceLayer } from '../layer.ts';
import {
  epsilonOf,
  reshapedTo,
  wholeOf,
  type AttributeValue,
  type Constant,
  type Onnx,
  type OnnxReader,
  type OnnxReading,
} from '../onnx.ts';
import { notInTfjs, type TfjsWriter } from '../tfjs.ts';
import { groupNorm, instanceNorm } from './attributes.ts';

const epsOf = (layer: SourceLayer) => numberOf(layer, 'eps');

const keras =
  (groupsOf: (layer: SourceLayer) => number): Formats['keras'] =>
  ({ layer, simple }) => {
    const affine = layer.keeps ? 'True' : 'False';
    return simple('GroupNormalization', [
      ['groups', String(groupsOf(layer)), '32'],
      ['epsilon', String(epsOf(layer)), '0.001'],
      ['center', affine, 'True'],
      ['scale', affine, 'True'],
    ]);
  };

/** ONNX has no such layers without weight and bias. */
const writer =
  (
    opType: string,
    attributes: (layer: SourceLayer) => Readonly<Record<string, AttributeValue>> = () => ({}),
  ): Onnx['write'] =>
  ({ graph, layer, inputs, output, parameter }) => {
    const [C] = layer.output;
    const own = (name: string, start: number) =>
      parameter(name) ?? graph.tensor(`${layer.name}/${name}`, [C], new Float32Array(C).fill(start));
    graph.node(opType, [...inputs, own('weight', 1), own('bias', 0)], output, {
      ...attributes(layer),
      epsilon: { float: epsOf(layer) },
    });
  };

/**
 * The weight and the bias: none if they change nothing and are nobody's parameters. Version 18 of the operators has one of
 * each a group.
 */
function affineOf(network: OnnxReading, node: NodeProto, C: number) {
  const [weight, bias] = [1, 2].map((i) => network.constantInput(node, i));
  if (!weight || !bias) throw network.bad(node, 'expected a weight and a bias');
  const isPlain = weight.data.every((one) => one === 1) && bias.data.every((one) => one === 0);
  if (isPlain && !weight.name.endsWith('.weight')) return undefined;
  const each = C / weight.data.length;
  const spread = (one: Constant): Constant =>
    Number.isInteger(each) && each > 1
      ? {
          ...one,
          shape: [C],
          data: Float32Array.from({ length: C }, (_, c) => one.data[Math.floor(c / each)]),
        }
      : one;
  return { weight: spread(weight), bias: spread(bias) };
}

const reader =
  (op: string, more: (node: NodeProto) => object = () => ({})): OnnxReader =>
  (network, node) => {
    const source = network.source(node);
    const affine = affineOf(network, node, network.shapeOf(source)[0]);
    const attributes = { ...more(node), eps: epsilonOf(node), affine: affine !== undefined };
    network.add(node, op, [source], attributes, affine);
    return true;
  };

/** PyTorch writes group normalisation as that of instances, between two changes of shape: to [N, groups, -1], and back. */
const asInstances: Onnx['read'] = {
  Reshape(network, node) {
    const sizes = reshapedTo(network, node);
    const begun = network.begunAt(node, 'group_norm');
    if (begun) {
      const shape = network.shapeOf(begun.of);
      const isBack =
        sizes.length === shape.length + 1 && shape.every((size, i) => [size, -1].includes(sizes[i + 1]));
      if (!isBack || !('affine' in begun.attributes)) return false;
      network.add(node, 'group_norm', [begun.of], begun.attributes);
      return true;
    }
    // Maxout begins so, too.
    const isMaxout = network.takersOf(node.output[0]).some(({ opType }) => opType === 'ReduceMax');
    if (sizes.length !== 3 || isMaxout) return false;
    const [, numGroups, length] = sizes;
    const of = network.source(node);
    const shape = network.shapeOf(of);
    if (shape[0] % numGroups !== 0 || ![-1, elements(shape) / numGroups].includes(length)) return false;
    network.begin(node, { op: 'group_norm', of, attributes: { numGroups }, words: 'a change of shape' });
    return true;
  },
  InstanceNormalization(network, node) {
    const begun = network.begunAt(node, 'group_norm');
    if (!begun) return false;
    if (affineOf(network, node, Number(begun.attributes['numGroups'])))
      throw network.unsupported(node, 'expected no weights of groups');
    const attributes = { ...begun.attributes, eps: epsilonOf(node), affine: false };
    network.begin(node, { ...begun, attributes });
    return true;
  },
};

const write: TfjsWriter = ({ layer }) => {
  throw notInTfjs(layer, 'its layers have no group normalisation; expected batch normalisation');
};

/** With one group a channel it is instance normalisation. */
const readKeras: KerasReader = (network, layer) => {
  const of = network.source(layer);
  const shape = network.shapeOf(of);
  requireLastAxis(network, layer, shape.length);
  const [C] = shape;
  const numGroups = layer.config.number('groups', 32);
  const affine = affineVariables(layer.config).length > 0;
  const attributes = { eps: layer.config.number('epsilon', 1e-3), affine };
  const weights = affine ? affineInKeras(network, layer, C) : {};
  if (numGroups === -1 || numGroups === C)
    return network.add(layer, 'instance_norm', [of], attributes, weights);
  return network.add(layer, 'group_norm', [of], { numGroups, ...attributes }, weights);
};

const { numGroups: _, ...byName } = groupNorm;
const moreOf = (layer: SourceLayer) => further(attributeArguments(byName)(layer));

export default [
  {
    op: 'group_norm',
    pytorch: {
      module: (layer) => [
        `nn.GroupNorm(${numberOf(layer, 'numGroups')}, `,
        channels(layer.output[0], 'out_channels'),
        `${moreOf(layer)})`,
      ],
      call: (layer, [x]) => `F.group_norm(${x}, ${numberOf(layer, 'numGroups')}, eps=${epsOf(layer)})`,
    },
    keras: keras((layer) => numberOf(layer, 'numGroups')),
    onnx: {
      write: writer('GroupNormalization', (layer) => ({ num_groups: numberOf(layer, 'numGroups') })),
      read: {
        GroupNormalization: reader('group_norm', (node) => ({ numGroups: wholeOf(node, 'num_groups', 1) })),
        ...asInstances,
      },
    },
    tfjs: {
      write,
      read: { GroupNormalization: readKeras },
      variables: { GroupNormalization: affineVariables },
    },
  },
  {
    op: 'instance_norm',
    pytorch: {
      module: (layer) => [
        'nn.InstanceNorm2d(',
        channels(layer.output[0], 'out_channels'),
        `${further(attributeArguments(instanceNorm)(layer))})`,
      ],
      call: (layer, [x]) => `F.instance_norm(${x}, eps=${epsOf(layer)})`,
    },
    keras: keras((layer) => layer.output[0]),
    onnx: {
      write: writer('InstanceNormalization'),
      read: { InstanceNormalization: reader('instance_norm') },
    },
    tfjs: { write },
  },
] satisfies Formats[];
