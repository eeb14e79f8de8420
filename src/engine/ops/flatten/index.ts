import { Failure } from '../../../base/result.ts';
import { elements, showShape } from '../../../base/shape.ts';
import type { Op } from '../../op.ts';

/** [N, ...] to [N, all the rest]: PyTorch's flatten(start_dim=1). Nothing moves in memory. */
const flatten: Op<object> = {
  name: 'flatten',
  title: 'Flatten',
  isView: true,

  outputShape(_, input) {
    if (input.length < 2) {
      throw new Failure(
        'bad-input',
        `flatten: expected an input of shape [N, ...], found ${showShape(input)}`,
      );
    }
    return [input[0], elements(input.slice(1))];
  },

  forward() {},
  backward() {},
};

export default flatten;
