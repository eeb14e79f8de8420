import { Failure } from '../../../base/result.ts';
import { choice } from '../../attributes.ts';
import { activation } from '../activation/op.ts';

export interface GeluAttributes {
  /** 'tanh': by a hyperbolic tangent in place of the normal distribution, up to 5e-4 off. Default 'none'. */
  approximate?: 'none' | 'tanh';
}

/** x times the chance of a normal number to be below x: PyTorch's nn.GELU. As there, NaN for negative infinity. */
export default activation<GeluAttributes>(
  'gelu',
  { approximate: choice('none', 'tanh') },
  ({ approximate = 'none' }) => {
    if (approximate !== 'none' && approximate !== 'tanh') {
      throw new Failure(
        'bad-input',
        `gelu: expected approximate to be "none" or "tanh", found ${JSON.stringify(approximate)}`,
      );
    }
    return { TANH: approximate === 'tanh' };
  },
);
