import { elements, type Shape } from '../../../base/shape.ts';
import type { Constants } from '../../../gpu/link.ts';
import type { Op } from '../../op.ts';
import { elementGrid, grid } from '../../plan.ts';

/**
 * The mean of each window, wherever the windows lie. Backward gathers, so its sums have a fixed order.
 * @param constants of shaders/avg_pool
 */
export function averageOf<A>(
  name: string,
  outputShape: (attributes: A, input: Shape) => Shape,
  constants: (attributes: A, input: Shape) => Constants,
): Op<A> {
  return {
    name,
    outputShape,

    forward(plan, { label, attributes, input, output }) {
      const count = elements(output.shape);
      plan.dispatch({
        label,
        kernel: {
          shader: 'avg_pool/forward',
          constants: { ...constants(attributes, input.shape), Number: input.type },
        },
        tensors: { x: input, y: output },
        uniforms: { count },
        workgroups: grid(count, 64),
      });
    },

    backward(plan, { label, attributes, input, outputGradient, inputGradient, maskInput }) {
      if (!inputGradient) return;
      const count = elements(input.shape);
      plan.dispatch({
        label: `${label} backward`,
        kernel: {
          shader: 'avg_pool/backward',
          constants: { ...constants(attributes, input.shape), Number: input.type, MASK: maskInput },
        },
        tensors: {
          dy: outputGradient,
          // Unread without a mask; naming the input would keep it in memory for nothing.
          x: maskInput ? input : outputGradient,
          dx: inputGradient,
        },
        uniforms: { count },
        workgroups: elementGrid(count),
      });
    },
  };
}
