import { Failure } from '../../../base/result.ts';
import { sameShape, showShape, type Shape } from '../../../base/shape.ts';
import type { Op } from '../../op.ts';
import { fetchedPasses } from '../fetched.ts';

/** The inputs' channels one after the other, as PyTorch's cat(inputs, dim=1). */
const concat: Op<object> = {
  name: 'concat',
  title: 'Concatenation',
  takes: [2, Infinity],

  outputShape(_, input, ...others) {
    const all = [input, ...others];
    const fits = (shape: Shape) =>
      shape.length >= 2 &&
      shape.length === input.length &&
      sameShape([shape[0], ...shape.slice(2)], [input[0], ...input.slice(2)]);
    if (!all.every(fits)) {
      const found = all.map(showShape).join(', ');
      throw new Failure(
        'bad-input',
        `concat: expected inputs [N, C, ...] that differ in C only, found ${found}`,
      );
    }
    return [input[0], all.reduce((sum, shape) => sum + shape[1], 0), ...input.slice(2)];
  },

  ...fetchedPasses(() => import('./passes.ts')),
};

export default concat;
