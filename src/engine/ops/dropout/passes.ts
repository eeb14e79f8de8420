/** The dispatches of dropout. */
import { elements } from '../../../base/shape.ts';
import type { Passes } from '../../op.ts';
import { elementGrid } from '../../plan.ts';
import { droppedBelow, scaleOf, streamOf } from './drawing.ts';
import type { DropoutAttributes } from './index.ts';

const constants = (p: number) => ({ DROPPED: droppedBelow(p), SCALE: scaleOf(p) });

const passes: Passes<DropoutAttributes> = {
  forward(plan, { label, attributes: { p }, input, output }) {
    const count = elements(input.shape);
    plan.dispatch({
      label,
      kernel: { shader: 'dropout/forward', constants: { ...constants(p), Number: input.type } },
      tensors: { x: input, y: output },
      uniforms: { count, stream: streamOf(label) },
      workgroups: elementGrid(count),
    });
  },

  backward(plan, { label, attributes: { p }, input, outputGradient, inputGradient, maskInput }) {
    if (!inputGradient) return;
    const count = elements(input.shape);
    plan.dispatch({
      label: `${label} backward`,
      kernel: {
        shader: 'dropout/backward',
        constants: { ...constants(p), Number: input.type, MASK: maskInput },
      },
      tensors: {
        // Not read without a mask; binding the input would prolong its life for nothing.
        x: maskInput ? input : outputGradient,
        dy: outputGradient,
        dx: inputGradient,
      },
      uniforms: { count, stream: streamOf(label) },
      workgroups: elementGrid(count),
    });
  },
};

export default passes;
