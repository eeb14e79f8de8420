import { testActivation } from '../../testing/activation.ts';
import op from './index.ts';
import { tanh } from './reference.ts';

testActivation('tanh', op, {}, tanh, { relative: 5e-7, exponent: 2 });
