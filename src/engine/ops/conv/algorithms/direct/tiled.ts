/** Tiles of outputs, one output per thread, with their input in workgroup memory. */
import { copyingWork, LOAD_COST } from '../../../../cost.ts';
import { grid } from '../../../../plan.ts';
import { toFour } from '../../../../gemm/products.ts';
import { elements } from '../../../../../base/shape.ts';
import { problemConstants, type ConvSetting } from '../../algorithm.ts';
import { flops, inputShape, type ConvProblem } from '../../problem.ts';
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
/** Tiles that are tried for a layer, beside those that fit its output. */
const TUNED: readonly Size[] = [
  [8, 8],
  [8, 16],
  [8, 32],
  [4, 32],
];
/** Those are about as wide as these, and have at most so many outputs. */
const [FITTED_WIDTHS, FITTED] = [[32, 16], 256];
/** Weights of a channel that a kernel is unrolled for. */
const MAX_UNROLLED = 128;

/** The size of equal parts, of which none is larger than `largest`, that cover `count` with the least to spare. */
export const equalParts = (count: number, largest: number): number =>
  Math.ceil(count / Math.ceil(count / largest));

/** Tiles whose threads all have an output, or nearly. */
const fitted = ({ P, Q }: ConvProblem): Size[] =>
  FITTED_WIDTHS.map((widest) => equalParts(Q, widest)).map((width) => [
    equalParts(P, Math.floor(FITTED / width)),
    width,
  ]);

/** Input values that a tile reads. */
export const patchSize = ({ R, S, stride, dilation }: ConvProblem, [height, width]: Size): number =>
  ((height - 1) * stride[0] + (R - 1) * dilation[0] + 1) *
  ((width - 1) * stride[1] + (S - 1) * dilation[1] + 1);

/** Bytes of the images that are convolved. */
export const imageBytes = ({ problem, number }: ConvSetting): number =>
  elements(inputShape(problem)) * (number === 'f16' ? 2 : 4);

/** Numbers that the weights take in a uniform; undefined if they do not fit it. */
function uniformNumbers({ device, problem: { C, K, R, S, groups } }: ConvSetting): number | undefined {
  const numbers = ((K * C) / groups) * toFour(R * S);
  const fits = numbers * 4 <= device.limit('maxUniformBufferBindingSize');
  return fits && R * S <= MAX_UNROLLED ? numbers : undefined;
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
  const sizes = [...TUNED, ...fitted(problem)];
  const tuned = sizes
    .filter((size, i) => sizes.findIndex((other) => `${other}` === `${size}`) === i)
    .slice(0, device.onProcessor ? 1 : sizes.length);
  const common = COMMON.filter(launchable)
    .slice(0, 1)
    .filter((size) => fits(size));
  const staged = STAGED.find((size) => fits(size, channels));
  const tunedOf = (step: string, at: number) =>
    tuned
      .filter((size) => fits(size, at))
      .map((size) => tiled(correlation, size, tileName(step, ...size), at, uniform));
  return [
    ...common.map((size) => tiled(correlation, size, NAMES.tile, 1)),
    ...(staged ? [tiled(correlation, staged, NAMES.staged, channels)] : []),
    ...(uniform === undefined
      ? []
      : [
          ...common.map((size) => tiled(correlation, size, NAMES.uniform, 1, uniform)),
          ...tunedOf(NAMES.uniform, 1),
          ...tunedOf(NAMES.whole, channels),
        ]),
  ];
}

/** A weight is read with every value. @param staged channels that are copied at a time */
function tiledWork({ setting }: Correlation, size: Size, staged: number) {
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

/**
 * @param staged channels that are copied at a time
 * @param uniform numbers that the weights take in a uniform; if absent, they are read where they are
 */
function tiled(
  correlation: Correlation,
  size: Size,
  name: string,
  staged: number,
  uniform?: number,
): CorrelationLaunch {
  const { setting, flipped } = correlation;
  const { problem } = setting;
  const { N, K, P, Q } = problem;
  const [height, width] = size;
  return {
    name,
    workspaceBytes: 4 * (uniform ?? 0),
    add(plan, label, tensors) {
      const constants = problemConstants(setting);
      const layout = { FOURS: toFour(problem.R * problem.S) / 4 };
      const packed = uniform === undefined ? undefined : plan.tensor(`${label} weights`, [uniform]);
      if (packed) {
        plan.dispatch({
          label: packed.label,
          kernel: { shader: 'conv/direct/pack', constants: { ...constants, ...layout, FLIPPED: flipped } },
          tensors: { w: tensors.w, weights: packed },
          workgroups: grid(packed.shape[0], 64),
        });
      }
      plan.dispatch({
        label,
        kernel: {
          shader: packed ? 'conv/direct/tiled_uniform' : 'conv/direct/tiled',
          constants: {
            ...constants,
            TILE_H: height,
            TILE_W: width,
            STAGED: staged,
            ...(packed ? layout : { FLIPPED: flipped }),
            ...finishConstants(tensors),
          },
        },
        tensors: { ...finishTensors(tensors), ...(packed ? { weights: packed } : { w: tensors.w }) },
        uniforms: { N },
        // Tiles, filters and images.
        workgroups: grid(N * K * Math.ceil(P / height) * Math.ceil(Q / width), 1),
        flop: flops(problem),
        work: tiledWork(correlation, size, staged),
      });
    },
  };
}
