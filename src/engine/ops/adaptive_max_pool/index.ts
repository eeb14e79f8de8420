import type { Op } from '../../op.ts';
import { adaptiveConstants, adaptiveOutputShape, type AdaptivePoolAttributes } from '../adaptive_pooling.ts';
import { largestOf } from '../max_pool/op.ts';

/** The largest of windows that share the image out, as PyTorch's nn.AdaptiveMaxPool2d. */
const adaptiveMaxPool: Op<AdaptivePoolAttributes> = largestOf(
  'adaptive_max_pool',
  (attributes, input) => adaptiveOutputShape('adaptive_max_pool', attributes, input),
  adaptiveConstants,
);

export default adaptiveMaxPool;
