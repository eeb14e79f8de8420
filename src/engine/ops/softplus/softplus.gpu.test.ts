import { testActivation } from '../../testing/activation.ts';
import op from './index.ts';
import { softplus } from './reference.ts';

testActivation('softplus', op, {}, softplus(), { relative: 5e-7, exponent: 1 });
testActivation('softplus, beta 3, threshold 5', op, { beta: 3, threshold: 5 }, softplus(3, 5), {
  relative: 5e-7,
  exponent: 3,
});
