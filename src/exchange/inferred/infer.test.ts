/** State dicts as tutorials have them, with their layers as those tutorials write them; and others, which are refused. */
import { describe, expect, test } from 'vitest';
import { count } from '../../base/testing/tier.ts';
import { elements } from '../../base/shape.ts';
import { writeSafetensors } from '../../data/formats/safetensors.ts';
import type { Layer } from '../../engine/network.ts';
import type { StateDict } from '../../engine/parameters.ts';
import { writePt, type Saved } from '../pytorch/write.ts';
import { importNetwork, type ImportContext } from '../importers.ts';
import { fromStateDict } from '../state-dict.ts';
import { expectResultOrFailure } from '../../base/testing/mutated.ts';

type Shapes = Readonly<Record<string, readonly number[]>>;

/**
 * Weights of layers with biases: "conv1 8x1x3x3", "fc 10x32"; "bn1 8" is a batch norm, "gn1= 8" a norm without statistics,
 * "conv2- 8x8x3x3" and a PReLU, "act- 1", have no bias.
 */
function shapesOf(text: string): Shapes {
  const shapes: Record<string, readonly number[]> = {};
  for (const part of text.trim().split(/\s*,\s*/)) {
    const [name, sizes] = part.split(' ');
    const shape = sizes.split('x').map(Number);
    const own = name.replace(/[-=]$/, '');
    shapes[`${own}.weight`] = shape;
    if (!name.endsWith('-')) shapes[`${own}.bias`] = [shape[0]];
    if (shape.length > 1 || own !== name) continue;
    for (const statistic of ['running_mean', 'running_var']) shapes[`${own}.${statistic}`] = shape;
    shapes[`${own}.num_batches_tracked`] = [];
  }
  return shapes;
}

const dictOf = (shapes: Shapes): StateDict =>
  new Map(
    Object.entries(shapes).map(([name, shape], i) => [
      name,
      { shape, data: new Float32Array(elements(shape)).map((_, j) => ((7 * i + j) % 13) / 13) },
    ]),
  );

/** "conv1:5/1+2" is a convolution of 5 x 5 with stride 1 and padding 2; "max 2/2" pooling. */
function shown({ name, op, attributes = {}, inputs }: Layer): string {
  const {
    kernelSize = [],
    stride = op === 'conv' ? [1, 1] : kernelSize,
    padding = [0, 0],
    groups,
  } = attributes as Record<string, number[]>;
  const from = inputs ? `(${inputs.join()})` : '';
  switch (op) {
    case 'conv':
      return `${name}:${kernelSize[0]}/${stride[0]}+${padding[0]}${groups ? `g${String(groups)}` : ''}${from}`;
    case 'max_pool':
    case 'avg_pool':
      return `${op.slice(0, 3)} ${kernelSize[0]}/${stride[0]}`;
    case 'linear':
    case 'batch_norm':
    case 'prelu':
      return name;
    case 'group_norm':
      return `${name}/${(attributes as Record<string, number>)['numGroups']}`;
    default:
      return `${{ flatten: 'flat', adaptive_avg_pool: 'mean' }[op] ?? op}${from}`;
  }
}

const network = (text: string, context: ImportContext = {}) =>
  fromStateDict('w.pt', dictOf(shapesOf(text)), {}, context);

/** What it is, the tensors, the images, and the layers. */
const NETWORKS: readonly (readonly [what: string, tensors: string, input: string, layers: string])[] = [
  [
    'PyTorch’s MNIST example',
    'conv1 32x1x3x3, conv2 64x32x3x3, fc1 128x9216, fc2 10x128',
    '1x28x28',
    'conv1:3/1+0 relu conv2:3/1+0 relu max 2/2 flat fc1 relu fc2',
  ],
  [
    'its earlier form',
    'conv1 10x1x5x5, conv2 20x10x5x5, fc1 50x320, fc2 10x50',
    '1x28x28',
    'conv1:5/1+0 relu max 2/2 conv2:5/1+0 relu max 2/2 flat fc1 relu fc2',
  ],
  [
    'LeNet of 28 x 28 without padding',
    'conv1 6x1x5x5, conv2 16x6x5x5, fc1 120x256, fc2 84x120, fc3 10x84',
    '1x28x28',
    'conv1:5/1+0 relu max 2/2 conv2:5/1+0 relu max 2/2 flat fc1 relu fc2 relu fc3',
  ],
  [
    'LeNet with its own names: padded first',
    'c1 6x1x5x5, c3 16x6x5x5, c5 120x400, f6 84x120, out 10x84',
    '1x28x28',
    'c1:5/1+2 relu max 2/2 c3:5/1+0 relu max 2/2 flat c5 relu f6 relu out',
  ],
  [
    'LeNet with a convolution as its third layer',
    'conv1 6x1x5x5, conv2 16x6x5x5, conv3 120x16x5x5, fc1 84x120, fc2 10x84',
    '1x28x28',
    'conv1:5/1+2 relu max 2/2 conv2:5/1+0 relu max 2/2 conv3:5/1+0 relu flat fc1 relu fc2',
  ],
  [
    'the CIFAR-10 tutorial',
    'conv1 6x3x5x5, conv2 16x6x5x5, fc1 120x400, fc2 84x120, fc3 10x84',
    '3x32x32',
    'conv1:5/1+0 relu max 2/2 conv2:5/1+0 relu max 2/2 flat fc1 relu fc2 relu fc3',
  ],
  [
    'three convolutions for CIFAR-10',
    'conv1 32x3x3x3, conv2 64x32x3x3, conv3 64x64x3x3, fc1 512x1024, fc2 128x512, fc3 10x128',
    '3x32x32',
    'conv1:3/1+1 relu max 2/2 conv2:3/1+1 relu max 2/2 conv3:3/1+1 relu max 2/2 flat fc1 relu fc2 relu fc3',
  ],
  [
    'two padded convolutions for MNIST',
    'conv1 16x1x3x3, conv2 32x16x3x3, fc 10x1568',
    '1x28x28',
    'conv1:3/1+1 relu max 2/2 conv2:3/1+1 relu max 2/2 flat fc',
  ],
  [
    'nn.Sequential of blocks of 5 x 5',
    'layer1.0 16x1x5x5, layer1.1 16, layer2.0 32x16x5x5, layer2.1 32, fc 10x1568',
    '1x28x28',
    'layer1.0:5/1+2 layer1.1 relu max 2/2 layer2.0:5/1+2 layer2.1 relu max 2/2 flat fc',
  ],
  [
    'one nn.Sequential, with room for pooling',
    '0 8x1x3x3, 3 16x8x3x3, 7 10x784',
    '1x28x28',
    '0:3/1+1 relu max 2/2 3:3/1+1 relu max 2/2 flat 7',
  ],
  [
    'one nn.Sequential, with no room for pooling',
    '0 4x1x3x3, 2 4x4x3x3, 5 10x3136',
    '1x28x28',
    '0:3/1+1 relu 2:3/1+1 relu flat 5',
  ],
  [
    'layers of one nn.Sequential without an activation between them',
    '1 32x784, 2 10x32',
    '1x28x28',
    'flat 1 2',
  ],
  [
    'TinyVGG',
    'block_1.0 10x3x3x3, block_1.2 10x10x3x3, block_2.0 10x10x3x3, block_2.2 10x10x3x3, classifier.1 3x2560',
    '3x64x64',
    'block_1.0:3/1+1 relu block_1.2:3/1+1 relu max 2/2 block_2.0:3/1+1 relu block_2.2:3/1+1 relu max 2/2 flat classifier.1',
  ],
  [
    'VGG’s numbers, on small images',
    'features.0 8x3x3x3, features.2 8x8x3x3, features.5 16x8x3x3, features.7 16x16x3x3, classifier.0 32x1024, classifier.3 10x32',
    '3x32x32',
    'features.0:3/1+1 relu features.2:3/1+1 relu max 2/2 features.5:3/1+1 relu features.7:3/1+1 relu max 2/2 flat classifier.0 relu classifier.3',
  ],
  [
    'batch norm right after each convolution',
    'conv1- 8x3x3x3, bn1 8, conv2- 16x8x3x3, bn2 16, fc 10x1024',
    '3x32x32',
    'conv1:3/1+1 bn1 relu max 2/2 conv2:3/1+1 bn2 relu max 2/2 flat fc',
  ],
  [
    'batch norms after all convolutions',
    'conv1 8x1x3x3, conv2 8x8x3x3, bn1 8, bn2 8, fc1 16x392, fc2 10x16',
    '1x28x28',
    'conv1:3/1+1 bn1 relu max 2/2 conv2:3/1+1 bn2 relu max 2/2 flat fc1 relu fc2',
  ],
  [
    'batch norm between fully connected layers',
    'fc1 32x784, bn1 32, fc2 10x32',
    '1x28x28',
    'flat fc1 bn1 relu fc2',
  ],
  [
    'group norms, a layer norm, and one PReLU for all layers',
    'conv1 16x3x3x3, gn1= 16, conv2 64x16x3x3, gn2= 64, fc1 20x4096, ln= 20, fc2 10x20, prelu- 1',
    '3x32x32',
    'conv1:3/1+1 gn1/8 prelu max 2/2 conv2:3/1+1 gn2/32 prelu_2 max 2/2 flat fc1 ln/1 prelu_3 fc2',
  ],
  [
    'a PReLU for each layer, with a slope for each channel',
    'conv1 8x1x3x3, act1- 8, conv2 12x8x3x3, act2- 1, fc 10x588',
    '1x28x28',
    'conv1:3/1+1 act1 max 2/2 conv2:3/1+1 act2 max 2/2 flat fc',
  ],
  [
    'nn.Sequential with batch norms after activations',
    '0 8x1x3x3, 2 8, 4 12x8x3x3, 6 12, 9 10x588',
    '1x28x28',
    '0:3/1+1 relu 2 max 2/2 4:3/1+1 relu 6 max 2/2 flat 9',
  ],
  [
    'the same with PReLU',
    '0 8x1x3x3, 1- 8, 2 8, 4 12x8x3x3, 5- 1, 6= 12, 9 10x588',
    '1x28x28',
    '0:3/1+1 1 2 max 2/2 4:3/1+1 5 6/2 max 2/2 flat 9',
  ],
  ['an MLP for MNIST', 'fc1 64x784, fc2 32x64, fc3 10x32', '1x28x28', 'flat fc1 relu fc2 relu fc3'],
  ['an MLP for CIFAR-10', 'input_fc 16x3072, output_fc 10x16', '3x32x32', 'flat input_fc relu output_fc'],
  [
    'the quick start’s linear_relu_stack',
    'linear_relu_stack.0 64x784, linear_relu_stack.2 64x64, linear_relu_stack.4 10x64',
    '1x28x28',
    'flat 0 relu 2 relu 4',
  ],
  ['softmax regression on 8 x 8 digits', 'linear 10x64', '1x8x8', 'flat linear'],
  [
    'global average pooling',
    'conv1 16x3x3x3, conv2 24x16x3x3, conv3 40x24x3x3, fc 10x40',
    '3x32x32',
    'conv1:3/1+1 relu max 2/2 conv2:3/1+1 relu max 2/2 conv3:3/1+1 relu max 2/2 mean flat fc',
  ],
  [
    'convolutions only',
    'features.0 8x1x3x3, features.3 16x8x3x3, classifier 10x16x1x1',
    '1x28x28',
    'features.0:3/1+1 relu max 2/2 features.3:3/1+1 relu max 2/2 classifier:1/1+0 mean flat',
  ],
  [
    'a depthwise convolution',
    'conv1 8x3x3x3, dw 8x1x3x3, pw 16x8x1x1, fc 10x16',
    '3x32x32',
    'conv1:3/1+1 relu max 2/2 dw:3/1+1g8 relu max 2/2 pw:1/1+0 relu max 2/2 mean flat fc',
  ],
  [
    'AlexNet’s numbers',
    'features.0 8x3x11x11, features.3 12x8x5x5, features.6 16x12x3x3, features.8 12x16x3x3, features.10 8x12x3x3, classifier.1 16x288, classifier.4 16x16, classifier.6 10x16',
    '3x224x224',
    'features.0:11/4+2 relu max 3/2 features.3:5/1+2 relu max 3/2 features.6:3/1+1 relu features.8:3/1+1 relu features.10:3/1+1 relu max 3/2 flat classifier.1 relu classifier.4 relu classifier.6',
  ],
  [
    'a residual network by torchvision’s names',
    'conv1- 4x3x7x7, bn1 4, layer1.0.conv1- 4x4x3x3, layer1.0.bn1 4, layer1.0.conv2- 4x4x3x3, layer1.0.bn2 4, ' +
      'layer2.0.conv1- 8x4x3x3, layer2.0.bn1 8, layer2.0.conv2- 8x8x3x3, layer2.0.bn2 8, layer2.0.downsample.0- 8x4x1x1, layer2.0.downsample.1 8, fc 10x8',
    '3x224x224',
    'conv1:7/2+3 bn1 relu max 3/2 layer1.0.conv1:3/1+1 layer1.0.bn1 relu layer1.0.conv2:3/1+1 layer1.0.bn2 add(layer1.0.bn2,maxpool) relu ' +
      'layer2.0.conv1:3/2+1 layer2.0.bn1 relu layer2.0.conv2:3/1+1 layer2.0.bn2 layer2.0.downsample.0:1/2+0(layer1.0.add_relu) layer2.0.downsample.1 add(layer2.0.bn2,layer2.0.downsample.1) relu mean flat fc',
  ],
  [
    'bottlenecks for small images',
    'conv1- 4x3x3x3, bn1 4, layer1.0.conv1- 2x4x1x1, layer1.0.bn1 2, layer1.0.conv2- 2x2x3x3, layer1.0.bn2 2, layer1.0.conv3- 8x2x1x1, layer1.0.bn3 8, layer1.0.shortcut.0- 8x4x1x1, layer1.0.shortcut.1 8, linear 10x8',
    '3x32x32',
    'conv1:3/1+1 bn1 relu layer1.0.conv1:1/1+0 layer1.0.bn1 relu layer1.0.conv2:3/1+1 layer1.0.bn2 relu layer1.0.conv3:1/1+0 layer1.0.bn3 ' +
      'layer1.0.shortcut.0:1/1+0(bn1_relu) layer1.0.shortcut.1 add(layer1.0.bn3,layer1.0.shortcut.1) relu mean flat linear',
  ],
];

test.each(NETWORKS)('%s', (_, tensors, input, layers) => {
  const dict = dictOf(shapesOf(tensors));
  const { model, parameters, assumed, notes } = fromStateDict('w.pt', dict, {}, {});
  expect(model.layers.map(shown).join(' ')).toBe(layers);
  expect(assumed).toMatchObject({ input });
  // PReLU, where there is one, takes its place.
  const hasSlopes = model.layers.some(({ op }) => op === 'prelu');
  expect(assumed?.activation).toBe(hasSlopes ? undefined : 'relu');
  expect(notes[0]).toMatch(/^The layers were inferred/);
  // Every tensor has a place, as it is.
  const values = [...dict].filter(([name]) => !name.endsWith('num_batches_tracked'));
  const bare = (name: string) => name.replace(/^linear_relu_stack\./, '');
  for (const [name, { data }] of values) expect(parameters.get(bare(name))?.data === data, name).toBe(true);
  // Layers may share them.
  const found = [...parameters].filter(([name]) => !name.endsWith('num_batches_tracked'));
  expect(new Set(found.map(([, { data: own }]) => own)).size).toBe(values.length);
});

const REFUSED: readonly (readonly [what: string, tensors: string, why: RegExp])[] = [
  [
    'a gap between layers',
    'conv1 8x1x3x3, conv2 16x9x3x3, fc 10x16',
    /“conv2” reads 9 values or channels, but “conv1” before it has 8 outputs/,
  ],
  [
    'features of no image size',
    'conv1 8x1x3x3, fc 10x1000',
    /no usual image size.* the 1000 values that “fc” reads/,
  ],
  ['two heads', 'conv1 8x1x3x3, fc_a 10x8, fc_b 10x8', /“fc_b” reads 8/],
  ['pixels of no square image', 'fc1 16x13, fc2 3x16', /reads 13 values/],
  ['one output', 'fc1 16x784, fc2 1x16', /expected a last layer with 2 to \d+ outputs.*; “fc2” has 1/],
  ['an autoencoder', 'encoder.0 32x784, decoder.0 784x32', /“decoder\.0”/],
  [
    'inverted residuals',
    'features.0.0- 8x3x3x3, features.1.conv.0.0- 16x8x1x1, features.1.conv.1.0- 16x1x3x3, features.1.conv.2- 8x16x1x1, classifier.1 10x8',
    /“features\.1” may add/,
  ],
  [
    'residual blocks by name',
    'conv1 8x3x3x3, res1.0 8x8x3x3, res1.2 8x8x3x3, classifier 10x8',
    /“res1” is a residual block/,
  ],
  ['branches', 'b1 8x3x1x1, b2 8x3x3x3, fc 10x16', /“b2” reads 3/],
  [
    'shortcuts without weights that change the size',
    'conv1- 4x3x3x3, bn1 4, layer1.0.conv1- 4x4x3x3, layer1.0.bn1 4, layer1.0.conv2- 4x4x3x3, layer1.0.bn2 4, layer2.0.conv1- 8x4x3x3, layer2.0.bn1 8, layer2.0.conv2- 8x8x3x3, layer2.0.bn2 8, linear 10x8',
    /“layer2\.0” changes the size, so a shortcut with weights/,
  ],
  [
    'a batch norm before its convolution',
    'conv1- 4x3x3x3, layer1.0.bn1 4, layer1.0.conv1- 8x4x3x3, layer1.0.bn2 8, layer1.0.conv2- 8x8x3x3, linear 10x8',
    /expected the batch norm “bn1” with 4 channels after “conv1”, found none/,
  ],
  [
    'a batch norm of other channels',
    'conv1 8x1x3x3, bn 5, fc 10x8',
    /“bn” has 5 channels; expected a layer of as many/,
  ],
];

test.each(REFUSED)('refused: %s', (_, tensors, why) => {
  expect(() => network(tensors)).toThrow(why);
  expect(() => network(tensors)).toThrow(
    /^w\.pt contains only weights, .*Names and shapes alone determine no network: /,
  );
});

const CONV = { 'conv.weight': [8, 1, 3, 3], 'conv.bias': [8] };
const FC = { 'fc.weight': [10, 1568], 'fc.bias': [10] };

test.each([
  [
    'a layer norm of the images',
    { 'fc.weight': [10, 784], 'norm.weight': [784], 'norm.bias': [784] },
    'the norm “norm” has 784 channels; expected a layer of as many before it',
  ],
  [
    'slopes of other channels',
    { ...CONV, 'act.weight': [5], ...FC },
    '“act” has 5 values, probably the slopes of a PReLU; expected one PReLU for each of 1 layers before the last',
  ],
  [
    'PReLU at one place of nn.Sequential, with another activation elsewhere',
    { '0.weight': [8, 1, 3, 3], '1.weight': [1], '2.weight': [8, 8, 3, 3], '5.weight': [10, 6272] },
    '“1” has 1 value, probably the slopes of a PReLU',
  ],
  [
    'layers between a convolution and its norm',
    { '0.weight': [8, 1, 3, 3], '3.weight': [8], '3.bias': [8], '5.weight': [10, 1568] },
    'there are 2 layers between “0” and the norm “3”; expected at most an activation',
  ],
  ['a bias alone', { ...FC, 'head.bias': [10] }, '“head” has no weight'],
  [
    'a bias of another size',
    { ...CONV, 'fc.weight': [10, 1568], 'fc.bias': [9] },
    '“fc.bias” has the shape [9]; expected 10 values, as “fc.weight” has the shape [10, 1568]',
  ],
  [
    'a recurrent layer',
    { 'rnn.weight_ih_l0': [4, 784], 'fc.weight': [10, 4] },
    '“rnn.weight_ih_l0” is a parameter of another kind of layer; only convolutions',
  ],
  [
    'a parameter of its own',
    { 'fc.weight': [10, 784], scale: [1] },
    '“scale” belongs to no layer; only convolutions',
  ],
  [
    'a one-dimensional convolution',
    { 'conv.weight': [8, 1, 3], 'fc.weight': [10, 8] },
    '“conv” has a weight of shape',
  ],
] satisfies [string, Shapes, string][])('refused: %s', (_, shapes: Shapes, why) => {
  expect(() => fromStateDict('w.pt', dictOf(shapes), {}, {})).toThrow(`determine no network: ${why}`);
});

test('of what fits best, it is said how much of the file it takes', () => {
  const tensors = 'conv1 32x3x3x3, conv2 64x32x3x3, conv3 64x65x3x3, fc1 512x1024, fc2 128x512, fc3 10x128';
  expect(() => network(tensors)).toThrow(/ fits best: it takes 0\.\d % of the file’s values\. /);
});

describe('assumptions', () => {
  const LENET = 'conv1 6x1x5x5, conv2 16x6x5x5, fc1 120x400, fc2 84x120, fc3 10x84';

  test('given, they replace those that are usual, and those of a model here', () => {
    expect(network(LENET).model.name).toBe('lenet5');
    expect(network(LENET).notes[0]).toMatch(/All names and shapes are those of LeNet-5/);
    const { model, assumed } = network(LENET, {
      assumed: { input: '1x32x32', activation: 'tanh', pooling: 'avg' },
    });
    expect(model.layers.map(shown).join(' ')).toBe(
      'conv1:5/1+0 tanh avg 2/2 conv2:5/1+0 tanh avg 2/2 flat fc1 tanh fc2 tanh fc3',
    );
    expect(assumed).toEqual({
      input: '1x32x32',
      activation: 'tanh',
      pooling: 'avg',
      window: '2/2',
      pools: 'conv1,conv2',
      strides: '1,1',
      paddings: '0,0',
      flatten: 'chw',
      normalisation: 'unknown',
    });
    // What is shown gives the same network.
    expect(network(LENET, { assumed }).model).toEqual(model);
  });

  test('the groups of norms without statistics', () => {
    const text = 'conv1 16x3x3x3, gn1= 16, conv2 12x16x3x3, gn2= 12, fc 10x768';
    const shownWith = (groups?: string) =>
      network(text, groups === undefined ? {} : { assumed: { groups } })
        .model.layers.map(shown)
        .filter((one) => one.startsWith('gn'))
        .join(' ');
    expect(shownWith()).toBe('gn1/8 gn2/2');
    expect(shownWith('1,12')).toBe('gn1/1 gn2/12');
    const { assumed, notes } = network(text);
    expect(assumed?.groups).toBe('8,2');
    expect(notes.join(' ')).toMatch(/Norms without statistics were taken for group norms/);
    expect(() => shownWith('8,8')).toThrow(
      'groups: expected a divisor of the 12 channels of “conv2”, found 8',
    );
    expect(() => shownWith('8')).toThrow(
      'groups: expected one for each of 2 norms without statistics, found 1',
    );
    expect(() => shownWith('8,x')).toThrow('groups: expected one number of groups');
    // Without such norms, there is nothing to assume.
    expect(network(LENET, { assumed: { input: '1x28x28' } }).assumed).not.toHaveProperty('groups');
  });

  test('how images were normalised goes with the weights', () => {
    const { info } = network(LENET, { assumed: { normalisation: '0.5/0.25' } });
    expect(info.normalisation).toEqual({ mean: [0.5], std: [0.25] });
  });

  test('places of pooling, strides and padding; no activation; the order of values', () => {
    const text = 'conv1 2x3x3x3, fc 4x50';
    const given = { input: '3x11x11', strides: '2', paddings: '0', pools: 'none', activation: 'none' };
    const { model, parameters } = network(text, { assumed: { ...given, flatten: 'hwc' } });
    expect(model.layers.map(shown).join(' ')).toBe('conv1:3/2+0 flat fc');
    const own = network(text, { assumed: given }).parameters.get('fc.weight')?.data ?? [];
    const turned = parameters.get('fc.weight')?.data ?? [];
    // Channel 1 of the pixel in row 2, column 3: of 5 x 5 pixels with 2 channels.
    expect(turned[25 + 13]).toBe(own[2 * 13 + 1]);
  });

  test.each([
    [{ input: '2x28x28' }, /^w\.pt: input: expected 1 channels/],
    [{ input: '28' }, /^w\.pt: input: expected channels, height and width/],
    [{ pools: 'conv7' }, /^w\.pt: pools: there is no convolution “conv7”/],
    [{ strides: '1' }, /^w\.pt: strides: expected one for each of 2 convolutions, found 1/],
    [{ activation: 'sine' }, /^w\.pt: activation: expected one of relu/],
    [{ window: '2' }, /^w\.pt: window: expected the size and the stride/],
    [{ normalisation: '0.5' }, /^w\.pt: normalisation: expected mean and standard deviation/],
    [{ normalisation: '0,0/1,1' }, /^w\.pt: normalisation: expected numbers for 1 channels, found 2/],
    [{ paddings: '99,99' }, /no usual image size/],
  ])('%j does not fit', (assumed, why) => {
    expect(() => network(LENET, { assumed })).toThrow(why);
  });
});

describe('files', () => {
  const SHAPES = shapesOf('conv1 6x3x5x5, conv2 16x6x5x5, fc1 120x400, fc2 84x120, fc3 10x84');
  const LAYERS = 'conv1:5/1+0 relu max 2/2 conv2:5/1+0 relu max 2/2 flat fc1 relu fc2 relu fc3';
  const wrapped = new Map([...dictOf(SHAPES)].map(([name, tensor]) => [`module.${name}`, tensor]));

  test.each(['state_dict', 'model', 'net'])(
    'a checkpoint with the weights of DataParallel in “%s”',
    async (key) => {
      const saved = new Map<string, Saved>([
        ['epoch', 3],
        [key, wrapped],
      ]);
      const { model } = await importNetwork('w.pth', await writePt(saved, 'w'));
      expect(model.layers.map(shown).join(' ')).toBe(LAYERS);
    },
  );

  test('a checkpoint with tensors of its own', async () => {
    const saved = new Map<string, Saved>([
      ['best_acc1', { shape: [], data: Float32Array.of(0.9) }],
      ['state_dict', wrapped],
      ['optimizer', new Map<string, Saved>([['exp_avg', { shape: [2], data: Float32Array.of(1, 2) }]])],
    ]);
    const { model, notes } = await importNetwork('w.pth.tar', await writePt(saved, 'w'));
    expect(model.layers.map(shown).join(' ')).toBe(LAYERS);
    expect(notes[0]).toBe('The weights are those of “state_dict”.');
  });

  test('safetensors, which are sorted by name', async () => {
    const text = '0 4x1x3x3, 2 4x4x3x3, 4 4x4x3x3, 6 4x4x3x3, 8 4x4x3x3, 10 4x4x3x3, 13 10x3136';
    const sorted = new Map([...dictOf(shapesOf(text))].sort(([a], [b]) => (a < b ? -1 : 1)));
    const { model } = await importNetwork('w.safetensors', writeSafetensors(sorted));
    const convs = model.layers.filter(({ op }) => op === 'conv').map(({ name }) => name);
    expect(convs).toEqual(['0', '2', '4', '6', '8', '10']);
  });
});

const MUTATIONS = count(25, 100, 2000);

test('mutated names and shapes: a network or a message', async () => {
  await expectResultOrFailure({
    kind: 'state dicts',
    tries: MUTATIONS,
    file: (random) => {
      const [, text] = NETWORKS[random.below(NETWORKS.length)];
      const shapes = Object.entries(shapesOf(text));
      for (let changes = 1 + random.below(3); changes > 0; changes--) {
        const i = random.below(shapes.length);
        const [name, shape] = shapes[i];
        const axis = random.below(shape.length + 1);
        const size = [0, 1, 2, 3, 7, 64, 1e9][random.below(7)];
        shapes[i] = [
          [name, `${name}.x`, name.replace(/\d/, '7'), name.replace(/weight|bias/, 'gamma')][random.below(4)],
          random.below(2) ? shape : shape.map((old, at) => (at === axis ? size : old)),
        ];
        if (shapes.length > 1 && random.below(4) === 0) shapes.splice(random.below(shapes.length), 1);
      }
      // Their sizes are not those of their values, as nothing may depend on.
      return new Map(
        shapes.map(([name, shape]) => [
          name,
          { shape, data: new Float32Array(Math.min(elements(shape), 2 ** 12)) },
        ]),
      ) as StateDict;
    },
    read: (dict) => fromStateDict('w.pt', dict, {}, {}),
    place: /^w\.pt/,
  });
});
