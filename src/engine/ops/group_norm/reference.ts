import { elements } from '../../../base/shape.ts';
import type { References } from '../../reference/ops.ts';
import type { GroupNormAttributes } from './index.ts';

/** Group normalisation in float64, as PyTorch's nn.GroupNorm. x [N, C, PLANE]. */

export interface GroupNormProblem {
  readonly C: number;
  readonly groups: number;
  /** Values per image and channel. */
  readonly plane: number;
  readonly eps: number;
}

/** Without weight and bias, `affine: false`, these are 1 and 0. */
type PerChannel = ArrayLike<number> | undefined;

/** Each group's values with mean 0 and variance 1, and 1 / sqrt(variance + eps) of each group. */
function normalised({ C, groups, plane, eps }: GroupNormProblem, x: ArrayLike<number>) {
  const length = (C / groups) * plane;
  const z = new Float64Array(x.length);
  const scale = Float64Array.from({ length: x.length / length }, (_, group) => {
    const values = Array.from({ length }, (__, i) => x[group * length + i]);
    const mean = values.reduce((sum, value) => sum + value, 0) / length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / length;
    values.forEach((value, i) => (z[group * length + i] = (value - mean) / Math.sqrt(variance + eps)));
    return 1 / Math.sqrt(variance + eps);
  });
  return { z, scale, length };
}

/** y = (x - mean) / sqrt(variance + eps) w + b: statistics by image and group, w and b by channel. */
export function groupNormForward(
  problem: GroupNormProblem,
  x: ArrayLike<number>,
  w: PerChannel,
  b: PerChannel,
): Float64Array {
  const { C, plane } = problem;
  const channel = (i: number) => Math.floor(i / plane) % C;
  return normalised(problem, x).z.map((value, i) => value * (w?.[channel(i)] ?? 1) + (b?.[channel(i)] ?? 0));
}

/** The gradients of x, w and b: the statistics depend on x as well. */
export function groupNormBackward(
  problem: GroupNormProblem,
  x: ArrayLike<number>,
  w: PerChannel,
  dy: ArrayLike<number>,
): { dx: Float64Array; dw: Float64Array; db: Float64Array } {
  const { C, plane } = problem;
  const { z, scale, length } = normalised(problem, x);
  const dw = new Float64Array(C);
  const db = new Float64Array(C);
  /** By group, of the gradient of z: its mean, and that of its products with z. */
  const means = scale.map(() => 0);
  const products = scale.map(() => 0);
  const dz = z.map((value, i) => {
    const c = Math.floor(i / plane) % C;
    dw[c] += dy[i] * value;
    db[c] += dy[i];
    const own = dy[i] * (w?.[c] ?? 1);
    means[Math.floor(i / length)] += own / length;
    products[Math.floor(i / length)] += (own * value) / length;
    return own;
  });
  const dx = dz.map((own, i) => {
    const group = Math.floor(i / length);
    return scale[group] * (own - means[group] - z[i] * products[group]);
  });
  return { dx, dw, db };
}

const groupNorm: References[string] = ({ attributes, inputs: [x], shapes: [[, C, ...rest]], parameters }) => {
  const { numGroups: groups = C, eps } = attributes as GroupNormAttributes;
  const problem = { C, groups, plane: elements(rest), eps };
  const { weight, bias } = parameters as Readonly<Record<string, PerChannel>>;
  return {
    y: groupNormForward(problem, x, weight, bias),
    backward(dy) {
      const { dx, dw, db } = groupNormBackward(problem, x, weight, dy);
      return { inputs: [dx], ...(weight ? { parameters: { weight: dw, bias: db } } : {}) };
    },
  };
};

export default { group_norm: groupNorm, instance_norm: groupNorm } satisfies References;
