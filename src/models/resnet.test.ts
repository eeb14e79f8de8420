import { describe, expect, test } from 'vitest';
import { inferShapes, layoutParameters } from '../engine/network.ts';
import { models } from './index.ts';
import { summarise } from './model.ts';

describe('ResNets for CIFAR-10 have the parameters of He et al., table 6, in millions', () => {
  test.each([
    [20, 0.27, 272_474],
    [32, 0.46, 466_906],
    [44, 0.66, 661_338],
    [56, 0.85, 855_770],
  ])('%i layers: %f', (depth, millions, count) => {
    const { parameters } = summarise(models.get(`resnet${depth}`));
    expect(parameters).toBe(count);
    // The paper's shortcuts have no parameters; these have 2752.
    expect((count - 2752) / 1e6).toBeCloseTo(millions, 2);
  });

  test('8 layers', () => expect(summarise(models.get('resnet8')).parameters).toBe(78_042));
});

test('depth counts convolutions off the shortcuts, and the last layer', () => {
  for (const depth of [8, 20, 32, 44, 56]) {
    const { layers } = models.get(`resnet${depth}`);
    const counted = layers.filter(
      ({ op, name }) => (op === 'conv' && !name.includes('downsample')) || op === 'linear',
    );
    expect(counted).toHaveLength(depth);
  }
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
