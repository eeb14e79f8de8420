import { testActivation } from '../../testing/activation.ts';
import op from './index.ts';
import { sigmoid } from './reference.ts';

testActivation('sigmoid', op, {}, sigmoid, { relative: 5e-7, exponent: 1 });
