import { number } from '../../attributes.ts';
import { activation, requireNumber } from '../activation/op.ts';

export interface LeakyReluAttributes {
  /** Default 0.01. */
  negativeSlope?: number;
}

/**
 * x where it is positive, else negativeSlope x: PyTorch's nn.LeakyReLU. At 0 the slope is negativeSlope. With a slope of 0,
 * negative infinity gives 0 or NaN, as the GPU's compiler likes; PyTorch has NaN.
 */
export default activation<LeakyReluAttributes>(
  'leaky_relu',
  { negativeSlope: number() },
  ({ negativeSlope = 0.01 }) => ({
    NEGATIVE_SLOPE: requireNumber('leaky_relu: negativeSlope', negativeSlope),
  }),
);
