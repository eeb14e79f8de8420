import { pair, required } from '../../attributes.ts';
import type { Op } from '../../op.ts';
import { poolConstants, poolOutputShape, poolProblem, type Pair, type PoolAttributes } from '../pooling.ts';
import { largestOf } from './op.ts';

export interface MaxPoolAttributes extends PoolAttributes {
  /** Default 1. */
  dilation?: Pair;
}

/** The largest of each window, as PyTorch's nn.MaxPool2d. */
const maxPool: Op<MaxPoolAttributes> = {
  attributes: { kernelSize: required(pair()), stride: pair(), padding: pair(0), dilation: pair() },
  ...largestOf(
    'max_pool',
    (attributes, input) => poolOutputShape(poolProblem('max_pool', attributes, input)),
    (attributes, input) => poolConstants(poolProblem('max_pool', attributes, input)),
  ),
};

export default maxPool;
