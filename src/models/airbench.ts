/**
 * The networks of Jordan's records of training on CIFAR-10 ("94% on CIFAR-10 in 3.29 Seconds on a Single GPU", 2024,
 * https://arxiv.org/abs/2404.00498), with the names of github.com/KellerJordan/cifar10-airbench.
 */
import type { Layer } from '../engine/network.ts';
import type { Model } from './model.ts';
import { add, batchNorm, conv, flatten, linear, maxPool, scale } from './layers.ts';

const gelu = (name: string): Layer => ({ name, op: 'gelu' });

/** The running statistics are used after few steps, so each batch moves them by more than usual. */
const norm = (name: string, momentum: number) => batchNorm(name, { eps: 1e-12, momentum });

/** Convolutions of 3x3, the first of which halves height and width. The third has a shortcut around both after the first. */
function group(name: string, width: number, depth: 2 | 3, momentum: number): Layer[] {
  const filters = (i: number) => conv(`${name}.conv${i}`, width, 3, { bias: false });
  return [
    filters(1),
    maxPool(`${name}.pool`, 2, 2),
    norm(`${name}.norm1`, momentum),
    gelu(`${name}.activ1`),
    filters(2),
    norm(`${name}.norm2`, momentum),
    gelu(`${name}.activ2`),
    ...(depth === 3
      ? [
          filters(3),
          norm(`${name}.norm3`, momentum),
          add(`${name}.add`, [`${name}.norm3`, `${name}.activ1`]),
          gelu(`${name}.activ3`),
        ]
      : []),
  ];
}

/**
 * A convolution of 2x2, whose 24 filters are meant to be whitening ones, then three groups. Small logits make its first
 * predictions uncertain.
 */
const airbench = (
  widths: readonly number[],
  depth: 2 | 3,
  momentum: number,
): Pick<Model, 'family' | 'input' | 'classes' | 'weightsInit' | 'layers'> => ({
  family: 'airbench',
  input: [3, 32, 32],
  classes: 10,
  weightsInit: 'dirac',
  layers: [
    conv('whiten', 24, 2, { padding: 0 }),
    gelu('layers.0'),
    ...widths.flatMap((width, i) => group(`layers.${i + 1}`, width, depth, momentum)),
    maxPool(`layers.${widths.length + 1}`, 3, 3),
    flatten('flatten'),
    linear('head', 10, { bias: false }),
    scale('scale', 1 / 9),
  ],
});

const models: readonly Model[] = [
  {
    name: 'airbench94',
    title: 'airbench94',
    description:
      'Seven convolutions with batch normalisation and GELU, which set records for reaching 94 % on CIFAR-10. The preset of the same name trains it.',
    ...airbench([64, 256, 256], 2, 0.4),
  },
  {
    name: 'airbench96',
    title: 'airbench96',
    description:
      'A wider airbench94 with a residual block in each group, which set records for reaching 96 % on CIFAR-10. Large; needs a GPU.',
    ...airbench([128, 384, 512], 3, 0.1),
  },
];

export default models;
