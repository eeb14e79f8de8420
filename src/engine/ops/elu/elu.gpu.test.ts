import { testActivation } from '../../testing/activation.ts';
import op from './index.ts';
import { elu } from './reference.ts';

testActivation('elu', op, {}, elu(), { relative: 5e-7, exponent: 1 });
testActivation('elu, alpha 2.5', op, { alpha: 2.5 }, elu(2.5), { relative: 5e-7, exponent: 1 });
