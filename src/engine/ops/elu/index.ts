import { number } from '../../attributes.ts';
import { activation, requireNumber } from '../activation/op.ts';

export interface EluAttributes {
  /** What it tends to for small x, but for its sign. Default 1. */
  alpha?: number;
}

/** x where it is positive, else alpha (e^x - 1): PyTorch's nn.ELU. At 0 the slope is alpha. */
export default activation<EluAttributes>('elu', { alpha: number() }, ({ alpha = 1 }) => ({
  ALPHA: requireNumber('elu: alpha', alpha),
}));
