import { Failure } from '../../../base/result.ts';
import { elements, sameShape, showShape, type Shape } from '../../../base/shape.ts';
import type { Op } from '../../op.ts';
import { grid, type PlanBuilder, type Tensor } from '../../plan.ts';

/** Values per image. */
const runOf = (shape: Shape) => elements(shape.slice(1));

/** Adds a dispatch that copies one input's part to or from the whole. */
function planCopy(
  plan: PlanBuilder,
  label: string,
  [x, from]: readonly [Tensor, number],
  [y, to]: readonly [Tensor, number],
): void {
  const strides = { FROM_STRIDE: runOf(x.shape), TO_STRIDE: runOf(y.shape) };
  const run = Math.min(strides.FROM_STRIDE, strides.TO_STRIDE);
  const count = x.shape[0] * run;
  plan.dispatch({
    label,
    kernel: {
      shader: 'concat/copy',
      constants: { Number: x.type, RUN: run, FROM: from, TO: to, ...strides },
    },
    tensors: { x, y },
    uniforms: { count },
    workgroups: grid(count, 64),
  });
}

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

  forward(plan, { label, inputs, output }) {
    let at = 0;
    for (const input of inputs) {
      planCopy(plan, label, [input, 0], [output, at]);
      at += runOf(input.shape);
    }
  },

  backward(plan, { label, inputs, inputGradients, outputGradient }) {
    let at = 0;
    inputs.forEach(({ shape }, i) => {
      const gradient = inputGradients[i];
      if (gradient) planCopy(plan, `${label} backward`, [outputGradient, at], [gradient, 0]);
      at += runOf(shape);
    });
  },
};

export default concat;
