/** The dispatches of concatenation. */
import { elements, type Shape } from '../../../base/shape.ts';
import type { Passes } from '../../op.ts';
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

const passes: Passes<object> = {
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

export default passes;
