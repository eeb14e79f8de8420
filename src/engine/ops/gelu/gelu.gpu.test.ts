import { testActivation } from '../../testing/activation.ts';
import op from './index.ts';
import { gelu, geluTanh } from './reference.ts';

testActivation('gelu', op, {}, gelu, { relative: 5e-7, absolute: 1e-7 });
testActivation('gelu by tanh', op, { approximate: 'tanh' }, geluTanh, { relative: 5e-7, absolute: 1e-7 });
