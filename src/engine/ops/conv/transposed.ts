/** NHWC by an algorithm's NCHW kernels, between transposes of everything that they read and write. */
import { alignUp } from '../../../base/shape.ts';
import { grid, tensorBytes, type PlanBuilder, type Tensor } from '../../plan.ts';
import type { ConvAlgorithm, ConvSetting, ConvTensors, Launch } from './algorithm.ts';
import { inLayout, type Layout } from './layout.ts';
import type { ConvProblem, Direction } from './problem.ts';
import { convTensorShape, convTensorType, DIRECTION_TENSORS, type ConvTensorName } from './tensors.ts';

/** How their launches' names begin. */
const PREFIX = 'transposed';

/** Launches of NCHW that are tried between transposes. */
const TRIED = 2;

/** Bytes of the transposed tensors. */
function transposedBytes(setting: ConvSetting, direction: Direction): number {
  const { inputs, output } = DIRECTION_TENSORS[direction];
  const names: ConvTensorName[] = [...inputs, output];
  // dgrad may have a mask of dx's size.
  if (direction === 'dgrad') names.push('dx');
  return names
    .map((name) =>
      alignUp(
        tensorBytes({ shape: convTensorShape(setting.problem, name), type: convTensorType(setting, name) }),
        256,
      ),
    )
    .reduce((a, b) => a + b, 0);
}

/** The setting of the launches between the transposes; undefined if these leave no workspace. */
function innerSetting(setting: ConvSetting, direction: Direction): ConvSetting | undefined {
  const workspace = setting.workspace - transposedBytes(setting, direction);
  return workspace < 0 ? undefined : { ...setting, problem: inLayout(setting.problem, 'nchw'), workspace };
}

/** Why the algorithm cannot run between transposes, as a clause for a message; undefined if it can. */
export function whyNotTransposed(
  algorithm: ConvAlgorithm,
  setting: ConvSetting,
  direction: Direction,
): string | undefined {
  const inner = innerSetting(setting, direction);
  if (inner) return algorithm.unsupported(inner, direction);
  const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  return (
    `it has no kernels for NHWC, and transposes need ${mebibytes(transposedBytes(setting, direction))} of workspace, ` +
    `limit ${mebibytes(setting.workspace)}`
  );
}

/** The algorithm's best guesses for NCHW, between transposes, whose time and workspace count; none if they do not fit. */
export function transposedLaunches<D extends Direction>(
  algorithm: ConvAlgorithm,
  setting: ConvSetting,
  direction: D,
): Launch<D>[] {
  const inner = innerSetting(setting, direction);
  if (!inner || algorithm.unsupported(inner, direction) !== undefined) return [];
  const launches = (algorithm[direction](inner) as Launch<Direction>[])
    .filter(({ workspaceBytes }) => workspaceBytes <= inner.workspace)
    .slice(0, TRIED);
  return launches.map((launch): Launch<Direction> => ({
    name: `${PREFIX}, ${launch.name}`,
    workspaceBytes: launch.workspaceBytes + transposedBytes(setting, direction),
    add: (plan, label, tensors) => addBetween(plan, label, setting, direction, launch, tensors),
  })) as Launch<D>[];
}

function addBetween(
  plan: PlanBuilder,
  label: string,
  setting: ConvSetting,
  direction: Direction,
  launch: Launch<Direction>,
  tensors: ConvTensors[Direction],
): void {
  const { problem } = setting;
  const { inputs, output } = DIRECTION_TENSORS[direction];
  const given = tensors as unknown as Readonly<Record<string, Tensor | undefined>>;
  const nchw = inLayout(problem, 'nchw');
  const room = (name: ConvTensorName, own: string = name) =>
    plan.tensor(`${label} transposed ${own}`, convTensorShape(nchw, name), convTensorType(setting, name));
  const turned: Record<string, Tensor> = {};
  const turn = (name: ConvTensorName, own: string = name) => {
    turned[own] = room(name, own);
    transpose(plan, `${label} ${own} to NCHW`, problem, name, 'nchw', given[own] as Tensor, turned[own]);
  };
  for (const name of inputs) turn(name);
  if (given['mask']) turn('dx', 'mask');
  turned[output] = room(output);
  launch.add(plan, label, { ...tensors, ...turned } as never);
  transpose(
    plan,
    `${label} ${output} to NHWC`,
    problem,
    output,
    'nhwc',
    turned[output],
    given[output] as Tensor,
  );
}

/** Adds a transpose of one of the problem's tensors into layout `to`. */
export function transpose(
  plan: PlanBuilder,
  label: string,
  { N, C, H, W, K, R, S, P, Q, groups }: ConvProblem,
  name: ConvTensorName,
  to: Layout,
  source: Tensor,
  result: Tensor,
): void {
  const [items, channels, pixels] = {
    x: [N, C, H * W],
    dx: [N, C, H * W],
    y: [N, K, P * Q],
    dy: [N, K, P * Q],
    w: [K, C / groups, R * S],
    dw: [K, C / groups, R * S],
  }[name];
  const [rows, columns] = to === 'nchw' ? [pixels, channels] : [channels, pixels];
  planTranspose(plan, label, [items, rows, columns], source, result);
}

/** Adds a transpose of [items, rows, columns] to [items, columns, rows]. */
export function planTranspose(
  plan: PlanBuilder,
  label: string,
  [items, rows, columns]: readonly [items: number, rows: number, columns: number],
  source: Tensor,
  result: Tensor,
): void {
  plan.dispatch({
    label,
    kernel: { shader: 'conv/transpose', constants: { Number: source.type } },
    tensors: { source, result },
    uniforms: { items, rows, columns },
    workgroups: grid(items * Math.ceil(rows / 32) * Math.ceil(columns / 32), 1),
  });
}
