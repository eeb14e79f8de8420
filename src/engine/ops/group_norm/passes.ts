/** The dispatches of group and instance normalisation. */
import { elements } from '../../../base/shape.ts';
import { slicedGradients } from '../../gemm/slices.ts';
import type { Passes } from '../../op.ts';
import { elementGrid, grid, type Tensor } from '../../plan.ts';
import { imageSums } from '../image_sums.ts';
import type { GroupNormAttributes } from './index.ts';

function settingOf({ numGroups, eps }: GroupNormAttributes, { shape, type }: Tensor) {
  const [N, C, ...rest] = shape;
  const groups = numGroups ?? C;
  const plane = elements(rest);
  return { N, C, groups, plane, eps, constants: { C, PLANE: plane, GROUPS: groups, Number: type } };
}

const passes: Passes<GroupNormAttributes> = {
  forward(plan, { label, attributes, input, output, parameters, relu, saved }) {
    const { N, C, groups, plane, eps, constants } = settingOf(attributes, input);
    const statistics = plan.tensor(`${label} statistics`, [N * groups, 2]);
    saved.statistics = statistics;
    const sums = imageSums(plan.device, N * groups, (C / groups) * plane);
    plan.dispatch({
      label: `${label} statistics`,
      kernel: { shader: 'group_norm/statistics', constants: { ...constants, ...sums.constants, EPS: eps } },
      tensors: { x: input, statistics },
      uniforms: { count: N * groups },
      workgroups: sums.workgroups,
    });
    const count = elements(input.shape);
    const { weight = statistics, bias = statistics } = parameters;
    plan.dispatch({
      label,
      kernel: {
        shader: 'group_norm/forward',
        constants: { ...constants, AFFINE: 'weight' in parameters, RELU: relu },
      },
      tensors: { x: input, statistics, weight, bias, y: output },
      uniforms: { count },
      workgroups: elementGrid(count),
    });
  },

  backward(plan, node) {
    const { label, attributes, input, parameters, saved, outputGradient, inputGradient, gradients } = node;
    const { statistics } = saved;
    const { N, C, groups, plane, constants } = settingOf(attributes, input);
    const own = (name: string) => gradients[name] ?? plan.tensor(`${label} d${name}`, [C]);
    const sliced = slicedGradients(plan, `${label} sums`, N, own('weight'), own('bias'));
    const { dw, db } = sliced;
    const sums = imageSums(plan.device, N * C, plane);
    const common = { x: input, dy: outputGradient, statistics };
    plan.dispatch({
      label: `${label} sums`,
      kernel: { shader: 'group_norm/sums', constants: { ...constants, ...sums.constants } },
      tensors: { ...common, dw, db },
      uniforms: { count: N * C },
      workgroups: sums.workgroups,
    });
    if ('weight' in gradients) sliced.finish();
    if (!inputGradient) return;
    const affine = { AFFINE: 'weight' in parameters };
    // Not read without parameters.
    const { weight = statistics } = parameters;
    const { Number: _, ...sizes } = constants;
    const means = plan.tensor(`${label} means`, [N * groups, 2]);
    plan.dispatch({
      label: `${label} means`,
      kernel: { shader: 'group_norm/means', constants: { ...sizes, ...affine } },
      tensors: { dw, db, weight, means },
      uniforms: { count: N * groups },
      workgroups: grid(N * groups, 64),
    });
    const count = elements(input.shape);
    plan.dispatch({
      label: `${label} backward`,
      kernel: { shader: 'group_norm/backward', constants: { ...constants, ...affine, MASK: node.maskInput } },
      tensors: { ...common, means, weight, dx: inputGradient },
      uniforms: { count },
      workgroups: elementGrid(count),
    });
  },
};

export default passes;
