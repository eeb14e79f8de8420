import { testActivation } from '../../testing/activation.ts';
import op from './index.ts';
import { leakyRelu } from './reference.ts';

testActivation('leaky_relu', op, {}, leakyRelu(), { relative: 2e-7 });
testActivation('leaky_relu, slope 0.3', op, { negativeSlope: 0.3 }, leakyRelu(0.3), { relative: 2e-7 });
testActivation('leaky_relu, slope -2', op, { negativeSlope: -2 }, leakyRelu(-2), { relative: 2e-7 });
