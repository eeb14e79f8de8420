/** The dispatches of padding. */
import { elements } from '../../../base/shape.ts';
import type { Node, Passes } from '../../op.ts';
import { elementGrid } from '../../plan.ts';
import { sidesOf, type PadAttributes } from './index.ts';

function constantsOf({ attributes, input, output }: Node<PadAttributes>) {
  const [, , H, W] = input.shape;
  const [, , P, Q] = output.shape;
  const { top, left } = sidesOf(attributes, input.shape);
  const REFLECT = attributes.mode === 'reflect';
  return { H, W, P, Q, TOP: top, LEFT: left, REFLECT, Number: input.type };
}

const passes: Passes<PadAttributes> = {
  forward(plan, node) {
    const { label, attributes, input, output } = node;
    const count = elements(output.shape);
    plan.dispatch({
      label,
      kernel: { shader: 'pad/forward', constants: { ...constantsOf(node), VALUE: attributes.value } },
      tensors: { x: input, y: output },
      uniforms: { count },
      workgroups: elementGrid(count),
    });
  },

  backward(plan, node) {
    const { label, input, outputGradient, inputGradient, maskInput } = node;
    if (!inputGradient) return;
    const constants = constantsOf(node);
    const count = elements(input.shape);
    plan.dispatch({
      label: `${label} backward`,
      kernel: {
        shader: 'pad/backward',
        constants: { ...constants, READERS: constants.REFLECT ? 3 : 1, MASK: maskInput },
      },
      // Without a mask x is not read; binding the input would prolong its life.
      tensors: { dy: outputGradient, x: maskInput ? input : outputGradient, dx: inputGradient },
      uniforms: { count },
      workgroups: elementGrid(count),
    });
  },
};

export default passes;
