import { testActivation } from '../../testing/activation.ts';
import op from './index.ts';
import { silu } from './reference.ts';

testActivation('silu', op, {}, silu, { relative: 5e-7, exponent: 1, absolute: 1e-7 });
