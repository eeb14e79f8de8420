/** Tiles of outputs, one output per thread, with their input in workgroup memory. */
import { copyingWork, LOAD_COST } from '../../../../cost.ts';
import { grid } from '../../../../plan.ts';
import { toFour } from '../../../../gemm/products.ts';
import { elements } from '../../../../../base/shape.ts';
import { problemConstants, type ConvSetting } from '../../algorithm.ts';
import { flops, inputShape, weightShape, type ConvProblem } from '../../problem.ts';
import { finishConstants, finishTensors, type Correlation, type CorrelationLaunch } from './correlation.ts';
import { NAMES, tileName } from './names.ts';

/** Outputs down and across. */
type Size = readonly [height: number, width: number];

/** The tile of the ladder's first steps, the largest that a workgroup has threads for. */
const COMMON: readonly Size[] = [
  [16, 16],
  [8, 16],
];
/** Tiles that are tried with all channels at once; the first that fits counts. */
const STAGED: readonly Size[] = [...COMMON, [8, 8], [4, 8]];
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

/** Bytes of the images that are convolved. */
export const imageBytes = ({ problem, number }: ConvSetting): number =>
  elements(inputShape(problem)) * (number === 'f16' ? 2 : 4);

/** Weights in float32 as vectors of four; undefined if a uniform is too small for them. */
function uniformNumbers({ device, problem }: ConvSetting): number | undefined {
  const numbers = toFour(elements(weightShape(problem)));
  return numbers * 4 <= device.limit('maxUniformBufferBindingSize') ? numbers : undefined;
}

/** The launches whose patch fits the workgroup's memory, in the ladder's order. */
export function tiledLaunches(correlation: Correlation): CorrelationLaunch[] {
  const { device, problem } = correlation.setting;
  const threads = device.limit('maxComputeInvocationsPerWorkgroup');
  const memory = device.limit('maxComputeWorkgroupStorageSize');
  const launchable = ([height, width]: Size) => height * width <= threads;
  const channels = problem.C / problem.groups;
  const fits = (size: Size, staged = 1) =>
    launchable(size) && staged * patchSize(problem, size) * 4 <= memory;
  const uniform = uniformNumbers(correlation.setting);
  const tuned = TUNED.slice(0, device.onProcessor ? 1 : TUNED.length);
  const common = COMMON.filter(launchable)
    .slice(0, 1)
    .filter((size) => fits(size));
  // With one channel, it is the step before.
  const staged = channels === 1 ? undefined : STAGED.find((size) => fits(size, channels));
  return [
    ...common.map((size) => tiled(correlation, size, NAMES.tile, 1)),
    ...(staged ? [tiled(correlation, staged, NAMES.staged, channels)] : []),
    ...(uniform === undefined
      ? []
      : [
          ...common.map((size) => tiledUniform(correlation, size, NAMES.uniform, uniform)),
          ...tuned
            .filter((size) => fits(size))
            .map((size) => tiledUniform(correlation, size, tileName(...size), uniform)),
        ]),
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

/** A weight is read with every value. @param staged channels that are copied at a time */
function tiledWork({ setting }: Correlation, size: Size, staged = 1) {
  const { problem } = setting;
  const threads = size[0] * size[1];
  const channels = problem.C / problem.groups;
  const patch = patchSize(problem, size);
  const copied = {
    copies: (channels * patch) / threads,
    steps: channels / staged,
    memory: 4 * staged * patch,
    bytes: imageBytes(setting),
  };
  return copyingWork(threads, 1, channels * problem.R * problem.S, 2, LOAD_COST, copied);
}

function tiled(correlation: Correlation, size: Size, name: string, staged: number): CorrelationLaunch {
  return {
    name,
    workspaceBytes: 0,
    add(plan, label, tensors) {
      plan.dispatch({
        label,
        kernel: {
          shader: 'conv/direct/tiled',
          constants: {
            ...constantsOf(correlation, size),
            STAGED: staged,
            FLIPPED: correlation.flipped,
            ...finishConstants(tensors),
          },
        },
        tensors: { ...finishTensors(tensors), w: tensors.w },
        uniforms: { N: correlation.setting.problem.N },
        workgroups: tilesOf(correlation, size),
        flop: flops(correlation.setting.problem),
        work: tiledWork(correlation, size, staged),
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
        work: tiledWork(correlation, size),
      });
    },
  };
}
