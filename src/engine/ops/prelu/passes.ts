/** The dispatches of PReLU. */
import { elements } from '../../../base/shape.ts';
import { slicedGradients } from '../../gemm/slices.ts';
import type { Passes } from '../../op.ts';
import { elementGrid, type Tensor } from '../../plan.ts';
import { imageSums } from '../image_sums.ts';
import type { PreluAttributes } from './index.ts';

const constantsOf = ({ numParameters }: PreluAttributes, { shape, type }: Tensor) => ({
  SLOPES: numParameters,
  LENGTH: elements(shape.slice(1)) / numParameters,
  Number: type,
});

const passes: Passes<PreluAttributes> = {
  forward(plan, { label, attributes, input, output, parameters: { weight } }) {
    const count = elements(input.shape);
    plan.dispatch({
      label,
      kernel: { shader: 'prelu/forward', constants: constantsOf(attributes, input) },
      tensors: { x: input, weight, y: output },
      uniforms: { count },
      workgroups: elementGrid(count),
    });
  },

  backward(
    plan,
    { label, attributes, input, parameters, outputGradient, inputGradient, gradients, maskInput },
  ) {
    const constants = constantsOf(attributes, input);
    const [N] = input.shape;
    const tensors = { x: input, dy: outputGradient };
    if (gradients.weight) {
      const sliced = slicedGradients(plan, `${label} sums`, N, gradients.weight, undefined);
      const sums = imageSums(plan.device, N * constants.SLOPES, constants.LENGTH);
      plan.dispatch({
        label: `${label} sums`,
        kernel: { shader: 'prelu/sums', constants: { ...constants, ...sums.constants } },
        tensors: { ...tensors, dw: sliced.dw },
        uniforms: { count: N * constants.SLOPES },
        workgroups: sums.workgroups,
      });
      sliced.finish();
    }
    if (!inputGradient) return;
    const count = elements(input.shape);
    plan.dispatch({
      label: `${label} backward`,
      kernel: { shader: 'prelu/backward', constants: { ...constants, MASK: maskInput } },
      tensors: { ...tensors, weight: parameters.weight, dx: inputGradient },
      uniforms: { count },
      workgroups: elementGrid(count),
    });
  },
};

export default passes;
