/** Residual networks (He, Zhang, Ren and Sun, "Deep Residual Learning for Image Recognition", 2015). */
import type { Layer } from '../engine/network.ts';
import { FULL_SIZE, type Model } from './model.ts';
import { add, batchNorm, conv, flatten, globalAverage, linear, maxPool, relu } from './layers.ts';

const FAMILY = 'ResNet';

/** Channels of a group of blocks; each but the first group halves height and width. */
type Widths = readonly number[];

/**
 * A convolution of 3x3, groups of residual blocks, global average pooling and one fully connected layer. Where a block
 * changes the shape, its shortcut is a convolution of 1x1 with batch normalisation (option B). Names are those of
 * torchvision's ResNet.
 */
const resnet = (widths: Widths, blocks: number): Layer[] => [
  ...[conv('conv1', widths[0], 3, { bias: false }), batchNorm('bn1'), relu('relu')],
  ...groups('relu', widths, blocks, normalised),
  ...[globalAverage('avgpool'), flatten('flatten'), linear('fc', 10)],
];

/** The same without batch normalisation: convolutions have biases, and nothing normalises activations. */
const plainResnet = (widths: Widths, blocks: number): Layer[] => [
  ...[conv('conv1', widths[0], 3), relu('relu')],
  ...groups('relu', widths, blocks, plain),
  ...[globalAverage('avgpool'), flatten('flatten'), linear('fc', 10)],
];

/** The residual networks for CIFAR-10 (section 4.2): three groups of `blocks` blocks, 6 blocks + 2 layers deep. */
function cifarResnet(blocks: number, description: string): Model {
  const depth = 6 * blocks + 2;
  return {
    name: `resnet${depth}`,
    title: `ResNet-${depth}`,
    description,
    family: FAMILY,
    input: [3, 32, 32],
    classes: 10,
    weightsInit: 'kaiming_normal',
    layers: resnet([16, 32, 64], blocks),
  };
}

/** A convolution with the layers right after it; the last of them is named `output`. */
interface Convolution {
  layers: Layer[];
  output: string;
}
type MakeConvolution = (
  block: string,
  part: 'conv1' | 'conv2' | 'downsample',
  width: number,
  options: { size: number; stride?: number; input?: string },
) => Convolution;

const normalised: MakeConvolution = (block, part, width, { size, ...options }) => {
  const names = {
    conv1: ['conv1', 'bn1'],
    conv2: ['conv2', 'bn2'],
    downsample: ['downsample.0', 'downsample.1'],
  };
  const [first, second] = names[part].map((name) => `${block}.${name}`);
  return {
    layers: [conv(first, width, size, { ...options, bias: false }), batchNorm(second)],
    output: second,
  };
};

const plain: MakeConvolution = (block, part, width, { size, ...options }) => {
  const name = `${block}.${part}`;
  return { layers: [conv(name, width, size, options)], output: name };
};

function groups(input: string, widths: Widths, blocks: number, make: MakeConvolution): Layer[] {
  const layers: Layer[] = [];
  let before = input;
  widths.forEach((width, group) => {
    for (let block = 0; block < blocks; block++) {
      const shrinks = group > 0 && block === 0;
      layers.push(...basicBlock(`layer${group + 1}.${block}`, before, width, shrinks, make));
      before = layers[layers.length - 1].name;
    }
  });
  return layers;
}

/** Two convolutions of 3x3 and a shortcut: the identity, or a projection if the block changes the shape. */
function basicBlock(
  name: string,
  input: string,
  width: number,
  shrinks: boolean,
  make: MakeConvolution,
): Layer[] {
  const stride = shrinks ? 2 : 1;
  const first = make(name, 'conv1', width, { size: 3, stride, input });
  const second = make(name, 'conv2', width, { size: 3 });
  const shortcut = shrinks ? make(name, 'downsample', width, { size: 1, stride, input }) : undefined;
  return [
    ...first.layers,
    relu(`${name}.relu1`),
    ...second.layers,
    ...(shortcut?.layers ?? []),
    add(`${name}.add`, [second.output, shortcut?.output ?? input]),
    relu(`${name}.relu2`),
  ];
}

/**
 * ResNet-18 with a stem for small images, as is usual for CIFAR-10: 3x3 with stride 1 in place of 7x7 with stride 2 and
 * pooling. Everything else, including names, is torchvision's.
 */
const resnet18: Model = {
  name: 'resnet18',
  title: 'ResNet-18',
  description: '18-layer residual network with a stem adapted to small images. Large; needs a GPU.',
  family: FAMILY,
  input: [3, 32, 32],
  classes: 10,
  weightsInit: 'kaiming_normal',
  layers: resnet([64, 128, 256, 512], 2),
};

/**
 * A residual network reduced to the essentials: a convolution, two residual blocks of convolution and ReLU at each of
 * three sizes, global average pooling and a fully connected layer. Without batch normalisation it learns more slowly
 * and needs a smaller learning rate, but its steps take less memory and time.
 */
const resnetPlain: Model = {
  name: 'resnet_plain',
  title: 'Plain ResNet',
  description: 'Residual blocks without batch normalisation.',
  family: FAMILY,
  input: [3, 32, 32],
  classes: 10,
  weightsInit: 'kaiming_normal',
  layers: plainResnet([16, 32, 64], 2),
};

/** Three convolutions, of 1x1, 3x3 and 1x1; the last has four times as many channels as the others. */
function bottleneck(name: string, input: string, width: number, stride: number, first: boolean): Layer[] {
  const unit = (
    part: string,
    channels: number,
    size: number,
    options: { stride?: number; input?: string } = {},
  ) => [
    conv(`${name}.conv${part}`, channels, size, { ...options, bias: false }),
    batchNorm(`${name}.bn${part}`),
  ];
  const shortcut = first ? normalised(name, 'downsample', 4 * width, { size: 1, stride, input }) : undefined;
  return [
    // The paper halves the image here; later implementations do it in the convolution of 3x3.
    ...[...unit('1', width, 1, { stride, input }), relu(`${name}.relu1`)],
    ...[...unit('2', width, 3), relu(`${name}.relu2`)],
    ...unit('3', 4 * width, 1),
    ...(shortcut?.layers ?? []),
    add(`${name}.add`, [`${name}.bn3`, shortcut?.output ?? input]),
    relu(`${name}.relu3`),
  ];
}

/** The paper's table 1, with torchvision's names. */
function resnet50(): Model {
  const blocks: Layer[] = [];
  [3, 4, 6, 3].forEach((count, group) => {
    for (let block = 0; block < count; block++) {
      const stride = group > 0 && block === 0 ? 2 : 1;
      const input = blocks.at(-1)?.name ?? 'maxpool';
      blocks.push(...bottleneck(`layer${group + 1}.${block}`, input, 64 * 2 ** group, stride, block === 0));
    }
  });
  return {
    name: 'resnet50',
    title: 'ResNet-50, 224×224',
    description: 'As published: sixteen blocks of 1x1, 3x3 and 1x1 convolutions, 1,000 classes.',
    ...FULL_SIZE,
    weightsInit: 'kaiming_normal',
    layers: [
      ...[conv('conv1', 64, 7, { stride: 2, bias: false }), batchNorm('bn1'), relu('relu')],
      maxPool('maxpool', 3, 2, { padding: 1 }),
      ...blocks,
      ...[globalAverage('avgpool'), flatten('flatten'), linear('fc', FULL_SIZE.classes)],
    ],
  };
}

export default [
  cifarResnet(1, 'The smallest residual network for 32x32 images: three stages of one block.'),
  cifarResnet(3, 'Residual network for 32x32 images: three stages of three blocks.'),
  cifarResnet(5, 'Residual network for 32x32 images: three stages of five blocks.'),
  cifarResnet(7, 'Residual network for 32x32 images: three stages of seven blocks.'),
  cifarResnet(9, 'Residual network for 32x32 images: three stages of nine blocks.'),
  resnet18,
  resnetPlain,
  resnet50(),
];
