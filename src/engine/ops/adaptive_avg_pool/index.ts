import { pair, required } from '../../attributes.ts';
import type { Op } from '../../op.ts';
import { adaptiveConstants, adaptiveOutputShape, type AdaptivePoolAttributes } from '../adaptive_pooling.ts';
import { averageOf } from '../avg_pool/op.ts';

/** The means of windows that share the image out, as PyTorch's nn.AdaptiveAvgPool2d. */
const adaptiveAvgPool: Op<AdaptivePoolAttributes> = {
  attributes: { outputSize: required(pair()) },
  ...averageOf(
    'adaptive_avg_pool',
    (attributes, input) => adaptiveOutputShape('adaptive_avg_pool', attributes, input),
    adaptiveConstants,
  ),
};

export default adaptiveAvgPool;
