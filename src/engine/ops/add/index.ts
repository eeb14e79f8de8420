import { Failure } from '../../../base/result.ts';
import { sameShape, showShape } from '../../../base/shape.ts';
import type { Op } from '../../op.ts';
import { planSum } from './sum.ts';

/** The elementwise sum of its inputs, as at the end of a residual block. */
const add: Op<object> = {
  name: 'add',
  title: 'Sum',
  takes: [2, Infinity],
  fusesRelu: true,
  channelsLast: true,
  passesGradient: true,

  outputShape(_, input, ...others) {
    const other = others.find((shape) => !sameShape(shape, input));
    if (other) {
      throw new Failure(
        'bad-input',
        `add: expected inputs of one shape, found ${showShape(input)} and ${showShape(other)}`,
      );
    }
    return input;
  },

  forward(plan, { label, inputs, output, relu }) {
    planSum(plan, label, inputs, output, { relu });
  },
  backward() {},
};

export default add;
