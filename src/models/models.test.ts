import { describe, expect, test } from 'vitest';
import { datasets } from '../data/catalogue.ts';
import { inferShapes, layoutParameters } from '../engine/network.ts';
import { convLayers } from '../engine/ops/conv/choice/layers.ts';
import { convProblem, problemKey, type ConvProblem } from '../engine/ops/conv/problem.ts';
import { models } from './index.ts';
import { mobilenet } from './mobilenet.ts';
import { FULL_SIZE, fitModel, requireClasses, summarise, type Model } from './model.ts';
import { suites } from './suites.ts';

const namesOf = ({ layers, input }: Model) => layoutParameters(inferShapes(layers, [1, ...input])).names;

/** Parameters of all layers whose name starts with the prefix. */
const count = (model: Model, start = '') =>
  summarise(model)
    .layers.filter(({ name }) => name.startsWith(start))
    .reduce((sum, { parameters }) => sum + parameters, 0);

const linear = (inputs: number, outputs: number) => (inputs + 1) * outputs;
const conv = (inputs: number, outputs: number, size: number) => (inputs * size ** 2 + 1) * outputs;

// torchvision's published totals for 1000 classes and images of 224x224, minus the layers that are fitted, plus those
// that replace them, counted by hand.
const published = { vgg11_bn: 132_868_840, vgg19_bn: 143_678_248, alexnet: 61_100_840 };

describe('parameters', () => {
  test.each([
    // The usual LeNet-5 with padded 28x28: 156 + 2,416 + 48,120 + 10,164 + 850.
    ['lenet5', 61_706],
    // PyTorch implementations for CIFAR-10 count 11.17 M.
    ['resnet18', 11_173_962],
    // By hand: the stem; two blocks of 16; each further group's first block with a shortcut, and its second; the end.
    [
      'resnet_plain',
      conv(3, 16, 3) +
        4 * conv(16, 16, 3) +
        (conv(16, 32, 3) + 3 * conv(32, 32, 3) + conv(16, 32, 1)) +
        (conv(32, 64, 3) + 3 * conv(64, 64, 3) + conv(32, 64, 1)) +
        linear(64, 10),
    ],
    ['ece408_48', 6 * 25 + 16 * 6 * 25 + linear(16 * 9 * 9, 120) + linear(120, 84) + linear(84, 10)],
    ['mlp', linear(784, 256) + linear(256, 128) + linear(128, 10)],
    ['softmax_regression', 7_850],
    // By hand: whitening, pairs of convolutions with batch norm, the head. All but the first and its bias are without biases.
    [
      'airbench94',
      conv(3, 24, 2) + 9 * (24 * 64 + 64 * 64 + 64 * 256 + 3 * 256 * 256) + 2 * (2 * 64 + 4 * 256) + 256 * 10,
    ],
  ])('%s has %i', (name, expected) => expect(summarise(models.get(name)).parameters).toBe(expected));

  test.each([
    ['vgg11', published.vgg11_bn],
    ['vgg19', published.vgg19_bn],
  ])('%s', (name, total) => {
    const classifier = linear(512 * 7 * 7, 4096) + linear(4096, 4096) + linear(4096, 1000);
    const fitted = 2 * linear(512, 512) + linear(512, 10);
    expect(count(models.get(name))).toBe(total - classifier + fitted);
  });

  test('alexnet', () => {
    const classifier = linear(256 * 6 * 6, 4096) + linear(4096, 4096) + linear(4096, 1000);
    const fitted = linear(256 * 3 * 3, 1024) + linear(1024, 1024) + linear(1024, 10);
    const stem = conv(3, 64, 5) - conv(3, 64, 11);
    expect(count(models.get('alexnet'))).toBe(published.alexnet + stem - classifier + fitted);
  });

  test("squeezenet 1.1 with 1000 classes equals torchvision's", () => {
    const images = { name: 'ImageNet', shape: [3, 224, 224], classes: { length: 1000 } };
    expect(count(fitModel(models.get('squeezenet'), images))).toBe(1_235_496);
    // The paper's 1.2 million.
    expect(count(models.get('squeezenet'))).toBe(1_235_496 - conv(512, 1000, 1) + conv(512, 10, 1));
  });

  test('googlenet', () => {
    // 6,624,904 without the auxiliary classifiers; the first convolution has no bias, and 3x3 in place of 7x7.
    const stem = 3 * 64 * (9 - 49);
    const total = 6_624_904 + stem - linear(1024, 1000) + linear(1024, 10);
    expect(count(models.get('googlenet'))).toBe(total);
  });

  test.each([
    [1, 4.2],
    [0.75, 2.6],
    [0.5, 1.3],
    [0.25, 0.5],
  ])('MobileNet, %f wide, has %f million with 1000 classes: table 6', (alpha, millions) => {
    const small = models.get('mobilenet');
    const images = { ...small, shape: small.input, classes: { length: 1000 } };
    const total = count(fitModel({ ...small, layers: mobilenet(alpha) }, images));
    expect(total / 1e6).toBeCloseTo(millions, 1);
  });

  test('mobilenet, by hand', () => {
    const widths = [8, 16, 32, 32, 64, 64, 128, 128, 128, 128, 128, 128, 256, 256];
    const pairs = widths.slice(1).map((width, i) => (9 + 2) * widths[i] + (widths[i] + 2) * width);
    const total = (27 + 2) * 8 + pairs.reduce((a, b) => a + b) + linear(256, 10);
    expect(summarise(models.get('mobilenet')).parameters).toBe(total);
  });
});

describe('as published for 224x224', () => {
  test.each([
    // torchvision's totals.
    ['alexnet_224', published.alexnet],
    ['vgg19_224', 143_667_240],
    ['resnet50', 25_557_032],
    ['squeezenet_224', 1_248_424],
    // 5x5 in place of 3x3 in each of nine blocks: 16 weights more for each pair of channels.
    [
      'googlenet_224',
      6_624_904 + 16 * (16 * 32 + 32 * 96 + 16 * 48 + 2 * 24 * 64 + 32 * 64 + 2 * 32 * 128 + 48 * 128),
    ],
  ])('%s has %i parameters', (name, expected) => expect(count(models.get(name))).toBe(expected));

  test.each([
    ['vgg19_224', 'vgg19'],
    ['googlenet_224', 'googlenet'],
    ['resnet50', 'resnet50'],
    ['squeezenet_224', 'squeezenet'],
  ])('%s has the convolutions of the suite %s', (name, suite) => {
    const { layers, input } = models.get(name);
    const keys = (problems: ConvProblem[]) => problems.map(problemKey).sort();
    const own = convLayers(layers, [32, ...input]).map(({ problem }) => problem);
    const listed = suites.get(suite).layers.map(({ sizes }) => convProblem({ N: 32, ...sizes }));
    expect(keys(own)).toEqual(keys(listed));
  });

  test('small images are refused by those with pooling to a fixed size', () => {
    const images = { name: 'Specks', shape: [3, 28, 28], classes: { length: 10 } };
    expect(() => fitModel(models.get('alexnet_224'), images)).toThrow(/^AlexNet, 224×224 does not fit/);
  });
});

describe('names and shapes are those of torchvision', () => {
  test.each([
    ['resnet18', ['layer4.1.bn2.num_batches_tracked', 'layer2.0.downsample.0.weight', 'fc.bias'], 122],
    ['vgg11', ['features.0.bias', 'features.1.running_var', 'features.26.weight', 'classifier.6.weight'], 62],
    ['vgg19', ['features.49.weight', 'features.50.running_mean', 'classifier.3.bias'], 118],
    ['alexnet', ['features.10.weight', 'classifier.1.weight', 'classifier.4.bias', 'classifier.6.bias'], 16],
    ['squeezenet', ['features.3.squeeze.weight', 'features.12.expand3x3.bias', 'classifier.1.weight'], 52],
    [
      'googlenet',
      ['conv1.conv.weight', 'inception4e.branch2.1.bn.weight', 'inception5b.branch4.1.conv.weight'],
      344,
    ],
  ])('%s', (name, some, all) => {
    const names = namesOf(models.get(name));
    expect(names).toEqual(expect.arrayContaining(some));
    expect(names).toHaveLength(all);
    expect(new Set(names).size).toBe(all);
  });
});

describe('images', () => {
  const forSmall = models.all().filter(({ family }) => family !== FULL_SIZE.family);
  test.each(forSmall.map(({ name }) => name))('%s takes those of every data set', (name) => {
    for (const images of datasets.all()) {
      const model = fitModel(models.get(name), images);
      expect(requireClasses(model).at(-1)?.output).toEqual([1, images.classes.length]);
    }
  });

  test('no change where nothing differs', () => {
    const model = models.get('resnet8');
    expect(fitModel(model, { name: 'x', shape: [3, 32, 32], classes: { length: 10 } })).toBe(model);
  });

  test('another number of classes changes the last weighted layer', () => {
    const lenet = fitModel(models.get('lenet5'), { name: 'x', shape: [3, 32, 32], classes: { length: 7 } });
    expect(lenet.layers.at(-1)?.attributes).toEqual({ outFeatures: 7 });
    expect(summarise(lenet).parameters).toBe(
      conv(3, 6, 5) + conv(6, 16, 5) + linear(16 * 6 * 6, 120) + linear(120, 84) + linear(84, 7),
    );
    const squeeze = models.get('squeezenet');
    const fitted = fitModel(squeeze, { name: 'x', shape: [1, 28, 28], classes: { length: 3 } });
    expect(fitted.layers.find((layer) => layer.name === 'classifier.1')?.attributes?.['outChannels']).toBe(3);
  });

  test('images that are too small are refused with an explanation', () => {
    const images = { name: 'Specks', shape: [1, 4, 4], classes: { length: 10 } };
    expect(() => fitModel(models.get('alexnet'), images)).toThrow(
      /^AlexNet does not fit the 1 x 4 x 4 images and 10 classes of Specks: layers\[5\] "features.5", input \[1, 192, 1, 1\]: max_pool: a kernel/,
    );
    expect(() =>
      fitModel({ ...models.get('mlp'), layers: [{ name: 'flatten', op: 'flatten' }] }, images),
    ).toThrow(/expected the last layer to output 10 values, one per class; found 16/);
  });
});

describe('ResNets for CIFAR-10 have the parameters of He et al., table 6, in millions', () => {
  test.each([
    [20, 0.27, 272_474],
    [32, 0.46, 466_906],
    [44, 0.66, 661_338],
    [56, 0.85, 855_770],
  ])('%i layers: %f', (depth, millions, exact) => {
    const { parameters } = summarise(models.get(`resnet${depth}`));
    expect(parameters).toBe(exact);
    // The paper's shortcuts have no parameters; these have 2752.
    expect((exact - 2752) / 1e6).toBeCloseTo(millions, 2);
  });

  test('8 layers', () => expect(summarise(models.get('resnet8')).parameters).toBe(78_042));
});

test('names and shapes of ResNet-20 are those of PyTorch', () => {
  const { layers, input } = models.get('resnet20');
  const { names, entries, buffers } = layoutParameters(inferShapes(layers, [1, ...input]));
  expect(names.slice(0, 8)).toEqual([
    ...['conv1.weight', 'bn1.weight', 'bn1.bias', 'bn1.running_mean', 'bn1.running_var'],
    ...['bn1.num_batches_tracked', 'layer1.0.conv1.weight', 'layer1.0.bn1.weight'],
  ]);
  const shapeOf = (name: string) => [...entries, ...buffers.entries].find((one) => one.name === name)?.shape;
  expect(shapeOf('layer2.0.downsample.0.weight')).toEqual([32, 16, 1, 1]);
  expect(shapeOf('layer3.0.downsample.1.running_var')).toEqual([64]);
  expect(shapeOf('layer3.2.conv2.weight')).toEqual([64, 64, 3, 3]);
  expect(shapeOf('fc.weight')).toEqual([10, 64]);
});
