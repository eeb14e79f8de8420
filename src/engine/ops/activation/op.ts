import { Failure } from '../../../base/result.ts';
import { elements } from '../../../base/shape.ts';
import type { Constants } from '../../../gpu/link.ts';
import type { AttributeSpecs } from '../../attributes.ts';
import type { Op } from '../../op.ts';
import { elementGrid } from '../../plan.ts';

/**
 * An op that applies one function to every number, for inputs of any shape. shaders/<name>/function.wgsl has the
 * function and its slope; all else is shaders/activation. Backward goes by the input: where a function levels off, what
 * is left of its output in float32 says too little about its slope.
 * @param settable what can be set
 * @param constants of function.wgsl; throws Failure('bad-input') for attributes that do not fit
 */
export function activation<A = object>(
  name: string,
  settable: AttributeSpecs = {},
  constants: (attributes: A) => Constants = () => ({}),
): Op<A> {
  return {
    name,
    attributes: settable,

    outputShape(attributes, input) {
      constants(attributes);
      return input;
    },

    forward(plan, { label, attributes, input, output }) {
      const count = elements(input.shape);
      plan.dispatch({
        label,
        kernel: { shader: `${name}/forward`, constants: { ...constants(attributes), Number: input.type } },
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
          shader: `${name}/backward`,
          constants: { ...constants(attributes), Number: input.type, MASK: maskInput },
        },
        tensors: { x: input, dy: outputGradient, dx: inputGradient },
        uniforms: { count },
        workgroups: elementGrid(count),
      });
    },
  };
}

/** Large enough for everyone, and written out without an exponent, as WGSL's numbers are in kernels. */
const LARGEST = 1e20;

/**
 * A number that becomes a constant of a kernel.
 * @param label for the message: "elu: alpha"
 * @throws Failure('bad-input')
 */
export function requireNumber(label: string, value: number): number {
  if (typeof value === 'number' && Math.abs(value) <= LARGEST) return value;
  const found = typeof value === 'number' ? String(value) : JSON.stringify(value);
  throw new Failure('bad-input', `${label}: expected a number from -1e20 to 1e20, found ${found}`);
}
