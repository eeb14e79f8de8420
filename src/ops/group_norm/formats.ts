import { attributeArguments, channels, further, type Formats } from '../formats.ts';
import { numberOf, type SourceLayer } from '../layer.ts';
import type { AttributeValue, Onnx } from '../onnx.ts';
import { notInTfjs } from '../tfjs.ts';
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
const onnx = (
  opType: string,
  attributes: (layer: SourceLayer) => Readonly<Record<string, AttributeValue>>,
): Onnx => ({
  write({ graph, layer, inputs, output, parameter }) {
    const [C] = layer.output;
    const own = (name: string, start: number) =>
      parameter(name) ?? graph.tensor(`${layer.name}/${name}`, [C], new Float32Array(C).fill(start));
    graph.node(opType, [...inputs, own('weight', 1), own('bias', 0)], output, {
      ...attributes(layer),
      epsilon: { float: epsOf(layer) },
    });
  },
});

const tfjs: Formats['tfjs'] = {
  write({ layer }) {
    throw notInTfjs(layer, 'its layers have no group normalisation; expected batch normalisation');
  },
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
    onnx: onnx('GroupNormalization', (layer) => ({ num_groups: numberOf(layer, 'numGroups') })),
    tfjs,
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
    onnx: onnx('InstanceNormalization', () => ({})),
    tfjs,
  },
] satisfies Formats[];
