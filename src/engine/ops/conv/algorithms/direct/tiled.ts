/** Tiles of outputs, one output per thread, with their input in workgroup memory. */
import { grid, MAX_UNIFORM_BYTES } from '../../../../plan.ts';
import { toFour } from '../../../../gemm/products.ts';
import { elements } from '../../../../../base/shape.ts';
import { problemConstants } from '../../algorithm.ts';
import { flops, weightShape, type ConvProblem } from '../../problem.ts';
import { finishConstants, finishTensors, type Correlation, type CorrelationLaunch } from './correlation.ts';
import { NAMES, tileName } from './names.ts';

/** Outputs down and across. */
type Size = readonly [height: number, width: number];

/** The tile of the ladder's first steps. */
const COMMON: Size = [16, 16];
/** Tiles that are tried for a layer. */
const TUNED: readonly Size[] = [
  [8, 8],
  [8, 16],
  [8, 32],
  [4, 32],
];

/** Input values that a tile reads. */
export const patchSize = ({ R, S, stride, dilation }: ConvProblem, [height, width]: Size): number =>
  ((height - 1) * stride[0] + (R - 1) * dilation[0] + 1) *
  ((width - 1) * stride[1] + (S - 1) * dilation[1] + 1);

/** Weights in float32 as vectors of four; undefined if a uniform is too small for them. */
function uniformNumbers(problem: ConvProblem): number | undefined {
  const numbers = toFour(elements(weightShape(problem)));
  return numbers * 4 <= MAX_UNIFORM_BYTES ? numbers : undefined;
}

/** The launches whose patch fits the workgroup's memory, in the ladder's order. */
export function tiledLaunches(correlation: Correlation): CorrelationLaunch[] {
  const { device, problem } = correlation.setting;
  const threads = device.limit('maxComputeInvocationsPerWorkgroup');
  const memory = device.limit('maxComputeWorkgroupStorageSize');
  const fits = (size: Size) => size[0] * size[1] <= threads && patchSize(problem, size) * 4 <= memory;
  const uniform = uniformNumbers(problem);
  const tuned = TUNED.slice(0, device.adapter.software ? 1 : TUNED.length);
  return [
    ...(fits(COMMON) ? [tiled(correlation, COMMON)] : []),
    ...(fits(COMMON) && uniform !== undefined
      ? [tiledUniform(correlation, COMMON, NAMES.uniform, uniform)]
      : []),
    ...tuned
      .filter((size) => uniform !== undefined && fits(size))
      .map((size) => tiledUniform(correlation, size, tileName(...size), uniform as number)),
  ];
}

const constantsOf = ({ setting }: Correlation, [height, width]: Size) => ({
  ...problemConstants(setting),
  TILE_H: height,
  TILE_W: width,
});

/** Workgroups: tiles, filters and images. */
const tilesOf = (
  {
    setting: {
      problem: { N, K, P, Q },
    },
  }: Correlation,
  [height, width]: Size,
) => grid(N * K * Math.ceil(P / height) * Math.ceil(Q / width), 1);

function tiled(correlation: Correlation, size: Size): CorrelationLaunch {
  return {
    name: NAMES.tile,
    workspaceBytes: 0,
    add(plan, label, tensors) {
      plan.dispatch({
        label,
        kernel: {
          shader: 'conv/direct/tiled',
          constants: {
            ...constantsOf(correlation, size),
            FLIPPED: correlation.flipped,
            ...finishConstants(tensors),
          },
        },
        tensors: { ...finishTensors(tensors), w: tensors.w },
        uniforms: { N: correlation.setting.problem.N },
        workgroups: tilesOf(correlation, size),
        flop: flops(correlation.setting.problem),
      });
    },
  };
}

/** @param numbers values of weights in the uniform */
function tiledUniform(
  correlation: Correlation,
  size: Size,
  name: string,
  numbers: number,
): CorrelationLaunch {
  const { setting, flipped } = correlation;
  return {
    name,
    workspaceBytes: numbers * 4,
    add(plan, label, tensors) {
      const weights = plan.tensor(`${label} weights`, [numbers]);
      plan.dispatch({
        label: `${label} weights`,
        kernel: { shader: 'conv/direct/pack', constants: { ...problemConstants(setting), FLIPPED: flipped } },
        tensors: { w: tensors.w, weights },
        workgroups: grid(numbers, 64),
      });
      plan.dispatch({
        label,
        kernel: {
          shader: 'conv/direct/tiled_uniform',
          constants: {
            ...constantsOf(correlation, size),
            WEIGHT_VEC4: numbers / 4,
            ...finishConstants(tensors),
          },
        },
        tensors: { ...finishTensors(tensors), weights },
        uniforms: { N: setting.problem.N },
        workgroups: tilesOf(correlation, size),
        flop: flops(setting.problem),
      });
    },
  };
}
