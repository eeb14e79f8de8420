/** Ops that apply one function to every value, for inputs of any shape: one op per file of src/ops/activation. */
import { elements } from '../../../base/shape.ts';
import type { AttributeSpecs, ValuesOf } from '../../../ops/attributes.ts';
import type { Op } from '../../op.ts';
import { elementGrid } from '../../plan.ts';
import { ACTIVATIONS, type NamedActivation } from './activations.ts';

/**
 * Backward uses the input: where a function levels off, its output in float32 no longer determines its slope.
 */
const opOf = (activation: NamedActivation): Op<ValuesOf<AttributeSpecs>> => ({
  name: activation.name,
  title: activation.title,
  attributes: activation.attributes,
  channelsLast: true,

  outputShape: (_, input) => input,

  forward(plan, { label, attributes, input, output }) {
    const count = elements(input.shape);
    plan.dispatch({
      label,
      kernel: {
        shader: `activation/forward:${activation.name}`,
        constants: { ...activation.constants(attributes), Number: input.type },
      },
      tensors: { x: input, y: output },
      uniforms: { count },
      workgroups: elementGrid(count),
    });
  },

  backward(plan, { label, attributes, input, outputGradient, inputGradient, maskInput }) {
    if (!inputGradient) return;
    const count = elements(input.shape);
    plan.dispatch({
      label: `${label} backward`,
      kernel: {
        shader: `activation/backward:${activation.name}`,
        constants: { ...activation.constants(attributes), Number: input.type, MASK: maskInput },
      },
      tensors: { x: input, dy: outputGradient, dx: inputGradient },
      uniforms: { count },
      workgroups: elementGrid(count),
    });
  },
});

export default ACTIVATIONS.map(opOf);
