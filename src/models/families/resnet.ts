import type { Layer } from '../../engine/network.ts';
import type { Model } from '../model.ts';

/** Channels of the three groups of blocks; each but the first halves height and width. */
const WIDTHS = [16, 32, 64];

/**
 * The residual networks for CIFAR-10 (He, Zhang, Ren and Sun, "Deep Residual Learning for Image Recognition", 2015,
 * section 4.2): a convolution of 3x3, three groups of `blocks` residual blocks, global average pooling and one fully
 * connected layer, 6 blocks + 2 layers deep. Where a block changes the shape, its shortcut is a convolution of 1x1 with
 * batch normalisation (option B). Names are those of torchvision's ResNet.
 */
export function cifarResnet(blocks: number, description: string): Model {
  const depth = 6 * blocks + 2;
  const layers: Layer[] = [conv('conv1', WIDTHS[0], 3), batchNorm('bn1'), relu('relu')];
  WIDTHS.forEach((width, group) => {
    for (let block = 0; block < blocks; block++) {
      const shrinks = group > 0 && block === 0;
      const before = layers[layers.length - 1].name;
      layers.push(...basicBlock(`layer${group + 1}.${block}`, before, width, shrinks));
    }
  });
  layers.push(
    { name: 'avgpool', op: 'avg_pool', attributes: { kernelSize: [8, 8] } },
    { name: 'flatten', op: 'flatten' },
    { name: 'fc', op: 'linear', attributes: { outFeatures: 10 } },
  );
  const [name, title] = [`resnet${depth}`, `ResNet-${depth}`];
  return { name, title, description, input: [3, 32, 32], classes: 10, layers };
}

/** Two convolutions of 3x3, beside them what came in: as it is, or where the block shrinks it, projected. */
function basicBlock(name: string, input: string, width: number, shrinks: boolean): Layer[] {
  const part = (own: string) => `${name}.${own}`;
  const stride = shrinks ? 2 : 1;
  const shortcut: Layer[] = [
    conv(part('downsample.0'), width, 1, { stride, input }),
    batchNorm(part('downsample.1')),
  ];
  return [
    conv(part('conv1'), width, 3, { stride, input }),
    batchNorm(part('bn1')),
    relu(part('relu1')),
    conv(part('conv2'), width, 3),
    batchNorm(part('bn2')),
    ...(shrinks ? shortcut : []),
    { name: part('add'), op: 'add', inputs: [part('bn2'), shrinks ? part('downsample.1') : input] },
    relu(part('relu2')),
  ];
}

/** Without bias, since batch normalisation follows; padded so that only strides shrink. */
const conv = (
  name: string,
  outChannels: number,
  size: number,
  { stride = 1, input }: { stride?: number; input?: string } = {},
): Layer => ({
  name,
  op: 'conv',
  ...(input === undefined ? {} : { inputs: [input] }),
  attributes: {
    ...{ outChannels, kernelSize: [size, size], bias: false },
    ...{ stride: [stride, stride], padding: [(size - 1) / 2, (size - 1) / 2] },
  },
});

const batchNorm = (name: string): Layer => ({ name, op: 'batch_norm' });
const relu = (name: string): Layer => ({ name, op: 'relu' });
