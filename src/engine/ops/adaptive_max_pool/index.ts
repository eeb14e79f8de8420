import { pair, required } from '../../attributes.ts';
import type { Op } from '../../op.ts';
import { adaptiveConstants, adaptiveOutputShape, type AdaptivePoolAttributes } from '../adaptive_pooling.ts';
import { largestOf } from '../max_pool/op.ts';

/** The largest of windows that share the image out, as PyTorch's nn.AdaptiveMaxPool2d. */
const adaptiveMaxPool: Op<AdaptivePoolAttributes> = {
  attributes: { outputSize: required(pair()) },
  ...largestOf(
    'adaptive_max_pool',
    (attributes, input) => adaptiveOutputShape('adaptive_max_pool', attributes, input),
    adaptiveConstants,
  ),
};

export default adaptiveMaxPool;
