import { Failure } from '../../../base/result.ts';
import { elements, showShape } from '../../../base/shape.ts';
import { above, flag, required, whole } from '../../../ops/attributes.ts';
import type { Op } from '../../op.ts';
import { fetchedPasses } from '../fetched.ts';

/** As in PyTorch's nn.GroupNorm and nn.InstanceNorm2d. */
export interface GroupNormAttributes {
  /** They divide the channels. Default: one a channel. */
  numGroups?: number;
  /** Added to the variance. Default 1e-5. */
  eps?: number;
  /** Whether there are a weight and a bias for each channel. */
  affine?: boolean;
}

/** What the two ops share. @param affine by default */
const normOf = (name: string, affine: boolean) =>
  ({
    name,
    fusesRelu: true,

    outputShape({ numGroups, eps = 1e-5 }, input) {
      const [, C, ...plane] = input;
      const groups = numGroups ?? C;
      const refuse = (expected: string, found: string, advice?: string) => {
        throw new Failure('bad-input', `${name}: expected ${expected}, found ${found}`, advice);
      };
      if (input.length < 2) refuse('an input of shape [N, C, ...]', showShape(input));
      if (!Number.isSafeInteger(groups) || groups < 1 || C % groups !== 0)
        refuse(`numGroups to divide the ${C} channels`, String(groups));
      if ((C / groups) * elements(plane) < 2)
        refuse(
          'more than one value in each group',
          `an input of shape ${showShape(input)}`,
          'Put it before the layers that leave one pixel, or choose fewer groups.',
        );
      // Written so that NaN fails.
      if (!(eps > 0 && eps < Infinity)) refuse('eps above 0', String(eps));
      return input;
    },

    parameters({ affine: has = affine }, [, C]) {
      const start = { shape: [C], fanIn: 1, fanOut: 1 };
      return has
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
const groupNorm: Op<GroupNormAttributes> = {
  ...normOf('group_norm', true),
  title: 'Group normalisation',
  attributes: { numGroups: required(whole()), eps: above(0), affine: flag },
};

/**
 * Each channel of each image by itself (Ulyanov et al., "Instance Normalization", 2016), as PyTorch's nn.InstanceNorm2d without
 * running statistics.
 */
const instanceNorm: Op<GroupNormAttributes> = {
  ...normOf('instance_norm', false),
  title: 'Instance normalisation',
  attributes: { eps: above(0), affine: flag },
};

export default [groupNorm, instanceNorm];
