import batchNorm from '../batch_norm/attributes.ts';
import { flag, whole } from '../attributes.ts';

const { eps } = batchNorm;

/** As in PyTorch's nn.GroupNorm. */
export const groupNorm = {
  /** They divide the channels. */
  numGroups: whole(),
  eps,
  /** Whether there are a weight and a bias for each channel. */
  affine: flag(true),
};

/** As in PyTorch's nn.InstanceNorm2d. */
export const instanceNorm = { eps, affine: flag(false) };
