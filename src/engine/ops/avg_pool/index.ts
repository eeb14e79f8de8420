import type { Shape } from '../../../base/shape.ts';
import { flag, pair, required } from '../../attributes.ts';
import type { Op } from '../../op.ts';
import { poolConstants, poolOutputShape, poolProblem, type PoolAttributes } from '../pooling.ts';
import { averageOf } from './op.ts';

export interface AvgPoolAttributes extends PoolAttributes {
  /** Whether the zeros of the padding count in the average. Default true. */
  countIncludePad?: boolean;
}

/** Windows without dilation, which PyTorch's average pooling does not have either. */
const problemOf = ({ kernelSize, stride, padding }: AvgPoolAttributes, input: Shape) =>
  poolProblem('avg_pool', { kernelSize, stride, padding }, input);

/** The mean of each window, as PyTorch's nn.AvgPool2d. */
const avgPool: Op<AvgPoolAttributes> = {
  attributes: { kernelSize: required(pair()), stride: pair(), padding: pair(0), countIncludePad: flag },
  ...averageOf(
    'avg_pool',
    (attributes, input) => poolOutputShape(problemOf(attributes, input)),
    (attributes, input) => ({
      ...poolConstants(problemOf(attributes, input)),
      COUNT_PADDING: attributes.countIncludePad ?? true,
    }),
  ),
};

export default avgPool;
