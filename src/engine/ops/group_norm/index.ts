import { Failure } from '../../../base/result.ts';
import { elements, showShape } from '../../../base/shape.ts';
import type { ValuesOf } from '../../../ops/attributes.ts';
import { groupNorm, instanceNorm } from '../../../ops/group_norm/attributes.ts';
import type { Op } from '../../op.ts';
import { fetchedPasses } from '../fetched.ts';

/** Instance normalisation has as many groups as channels. */
export type GroupNormAttributes = ValuesOf<typeof instanceNorm> &
  Partial<Pick<ValuesOf<typeof groupNorm>, 'numGroups'>>;

/** What the two ops share. */
const normOf = (name: string) =>
  ({
    name,
    fusesRelu: true,

    outputShape({ numGroups }, input) {
      const [, C, ...plane] = input;
      const groups = numGroups ?? C;
      const refuse = (expected: string, found: string, advice?: string) => {
        throw new Failure('bad-input', `${name}: expected ${expected}, found ${found}`, advice);
      };
      if (input.length < 2) refuse('an input of shape [N, C, ...]', showShape(input));
      if (C % groups !== 0) refuse(`numGroups to divide the ${C} channels`, String(groups));
      if ((C / groups) * elements(plane) < 2)
        refuse(
          'more than one value in each group',
          `an input of shape ${showShape(input)}`,
          'Put it before the layers that leave one pixel, or choose fewer groups.',
        );
      return input;
    },

    parameters({ affine }, [, C]) {
      const start = { shape: [C], fanIn: 1, fanOut: 1 };
      return affine
        ? [
            { name: 'weight', ...start, initial: 1 },
            { name: 'bias', ...start, initial: 0 },
          ]
        : [];
    },

    ...fetchedPasses(() => import('./passes.ts')),
  }) satisfies Omit<Op<GroupNormAttributes>, 'title'>;

/**
 * Each group of channels of each image with mean 0 and variance 1, times a weight plus a bias by channel (Wu and He, "Group
 * Normalization", 2018), as PyTorch's nn.GroupNorm: the same in training and inference.
 */
const groupNormOp: Op<GroupNormAttributes> = {
  ...normOf('group_norm'),
  title: 'Group normalisation',
  attributes: groupNorm,
};

/**
 * Each channel of each image by itself (Ulyanov et al., "Instance Normalization", 2016), as PyTorch's nn.InstanceNorm2d without
 * running statistics.
 */
const instanceNormOp: Op<GroupNormAttributes> = {
  ...normOf('instance_norm'),
  title: 'Instance normalisation',
  attributes: instanceNorm,
};

export default [groupNormOp, instanceNormOp];
