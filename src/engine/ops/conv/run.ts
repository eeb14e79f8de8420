import { Failure } from '../../../base/result.ts';
import type { Device } from '../../../gpu/device.ts';
import { mebibytes } from '../../../gpu/ledger.ts';
import { PlanBuilder, type Tensor } from '../../plan.ts';
import type { ConvAlgorithm, ConvSetting, ConvTensors, Launch } from './algorithm.ts';
import type { Direction } from './problem.ts';
import { convTensorShape, convTensorType, DIRECTION_TENSORS, type ConvTensorName } from './tensors.ts';
import { transposedLaunches, whyNotTransposed } from './transposed.ts';

export {
  convTensorShape,
  convTensorType,
  DIRECTION_TENSORS,
  inProblemLayout,
  type ConvTensorName,
} from './tensors.ts';

/** Bytes of workspace that an algorithm may use on any device. */
export const DEFAULT_WORKSPACE = 64 * 2 ** 20;
const MOST_WORKSPACE = 512 * 2 ** 20;

/**
 * Bytes of workspace that an algorithm may use by default: more on GPUs that bind large buffers, where a whole batch at once
 * takes up to a third less time than in parts. Processors are faster with what stays in their caches.
 */
export function usualWorkspace(device: Device): number {
  if (device.onProcessor) return DEFAULT_WORKSPACE;
  const eighth = Math.round(device.limit('maxStorageBufferBindingSize') / 8 / 2 ** 20) * 2 ** 20;
  return Math.min(MOST_WORKSPACE, Math.max(DEFAULT_WORKSPACE, eighth));
}

/** Why the algorithm does not support this here, as a clause for a message; undefined if it does. */
export function whyNot(
  algorithm: ConvAlgorithm,
  setting: ConvSetting,
  direction: Direction,
): string | undefined {
  const reason = whyNever(algorithm, setting, direction);
  if (reason !== undefined || launchesOf(algorithm, setting, direction).length > 0) return reason;
  const least = Math.min(
    ...everyLaunch(algorithm, setting, direction).map((launch) => launch.workspaceBytes),
  );
  return `it needs ${mebibytes(least)} of workspace, limit ${mebibytes(setting.workspace)}`;
}

/** Why the algorithm would not support this with any workspace. If it would, `launchesOf` may still be empty. */
export function whyNever(
  algorithm: ConvAlgorithm,
  setting: ConvSetting,
  direction: Direction,
): string | undefined {
  if (setting.number === 'f16' && !setting.device.raw.features.has('shader-f16')) {
    return 'it needs float16 in shaders (the WebGPU feature shader-f16), which this device does not support';
  }
  return algorithm.layouts.includes(setting.problem.layout)
    ? algorithm.unsupported(setting, direction)
    : whyNotTransposed(algorithm, setting, direction);
}

/**
 * The launch that a person names. The name may end early, because tile sizes in names depend on the problem: the first
 * one that begins with it is meant.
 * @throws Failure('bad-input') listing the names that there are
 */
export function requireLaunch<L extends { name: string }>(
  algorithm: string,
  launches: readonly L[],
  given: string,
): L {
  const found =
    launches.find(({ name }) => name === given) ?? launches.find(({ name }) => name.startsWith(given));
  if (found) return found;
  throw new Failure(
    'bad-input',
    `${algorithm} has no variant "${given}" for this convolution`,
    `Known: ${launches.map(({ name }) => `"${name}"`).join(', ')}.`,
  );
}

/** The launches of one direction that fit the workspace; see ConvAlgorithm. */
export function launchesOf<D extends Direction>(
  algorithm: ConvAlgorithm,
  setting: ConvSetting,
  direction: D,
): Launch<D>[] {
  return everyLaunch(algorithm, setting, direction).filter(
    ({ workspaceBytes }) => workspaceBytes <= setting.workspace,
  );
}

/**
 * Whatever their workspace. In NHWC an algorithm's own kernels come first, and its best guess for
 * NCHW between transposes second, for comparison.
 */
function everyLaunch<D extends Direction>(
  algorithm: ConvAlgorithm,
  setting: ConvSetting,
  direction: D,
): Launch<D>[] {
  const { layout } = setting.problem;
  const own = algorithm.layouts.includes(layout)
    ? (algorithm[direction](setting) as Launch<Direction>[] as Launch<D>[])
    : [];
  if (layout === 'nchw') return own;
  const transposed = transposedLaunches(algorithm, setting, direction);
  return own.length > 0 ? [own[0], ...transposed.slice(0, 1), ...own.slice(1)] : transposed;
}

/** Adds one direction of a bare convolution to `plan`. `tensors` are those of DIRECTION_TENSORS. */
export function planConv<D extends Direction>(
  plan: PlanBuilder,
  label: string,
  launch: Launch<D>,
  tensors: Readonly<Partial<Record<ConvTensorName, Tensor>>>,
): void {
  launch.add(plan, label, tensors as unknown as ConvTensors[D]);
}

/** The dispatches of a launch, without bias, ReLU or mask. */
export function barePlan(setting: ConvSetting, direction: Direction, launch: Launch<Direction>): PlanBuilder {
  const plan = new PlanBuilder(setting.device);
  const { inputs, output } = DIRECTION_TENSORS[direction];
  const tensor = (name: (typeof inputs)[number] | typeof output) =>
    plan.tensor(name, convTensorShape(setting.problem, name), convTensorType(setting, name));
  const tensors = Object.fromEntries([...inputs, output].map((name) => [name, tensor(name)]));
  planConv(plan, direction, launch, tensors);
  return plan;
}
