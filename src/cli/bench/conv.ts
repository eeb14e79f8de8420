import { Failure } from '../../base/result.ts';
import type { ConvSetting } from '../../engine/ops/conv/algorithm.ts';
import { convAlgorithms } from '../../engine/ops/conv/algorithms/index.ts';
import { find } from '../../engine/ops/conv/choice/find.ts';
import { get } from '../../engine/ops/conv/choice/get.ts';
import type { Choice, FindOptions, LaunchResult } from '../../engine/ops/conv/choice/types.ts';
import { flops, problemKey, type ConvProblem, type Direction } from '../../engine/ops/conv/problem.ts';
import { launchesOf, requireLaunch, usualWorkspace, whyNot } from '../../engine/ops/conv/run.ts';
import type { Device } from '../../gpu/device.ts';
import { timingColumns } from './report.ts';

export interface ConvBenchCase {
  problem: ConvProblem;
  direction: Direction;
  /** An algorithm's name, `find` for the fastest or `get` for the predicted one. */
  algorithm: string;
  /** Instead of the algorithm's best guess. */
  launch?: string | undefined;
}

/** Times one algorithm on one problem and checks its result, as `find` does for all. */
export async function benchConv(
  device: Device,
  { problem, direction, algorithm, launch }: ConvBenchCase,
  options: Pick<FindOptions, 'workspace' | 'number' | 'samples' | 'launchSize'>,
) {
  const line = { problem: problemKey(problem), direction, algorithm };
  if (algorithm === 'find') {
    const { best, tried } = await find(device, problem, direction, { minimumMs: 5, ...options });
    const fastest = tried.find((one) => best && isChoice(best, one));
    return { ...line, ...(fastest ? triedColumns(fastest, problem) : { status: 'unsupported' }) };
  }
  const { workspace = usualWorkspace(device), number = 'f32', launchSize } = options;
  const setting: ConvSetting = { device, problem, workspace, number, launchSize };
  const chosen =
    algorithm === 'get'
      ? get(device, problem, direction, options)
      : named(setting, direction, algorithm, launch);
  if ('reason' in chosen) return { ...line, status: 'unsupported', reason: chosen.reason };
  const { tried, absent } = await find(device, problem, direction, {
    minimumMs: 5,
    ...options,
    algorithms: [chosen.algorithm],
    exclude: (_, other) => other !== chosen.launch,
  });
  if (tried.length === 0) return { ...line, status: 'unsupported', reason: absent[0].reason };
  return { ...line, ...triedColumns(tried[0], problem) };
}

/** An algorithm's launch, or why there is none. @param launch its name, or the start. Default: the best guess */
function named(
  setting: ConvSetting,
  direction: Direction,
  algorithm: string,
  launch: string | undefined,
): Choice | { reason: string } {
  const one = convAlgorithms.get(algorithm);
  const reason = whyNot(one, setting, direction);
  if (reason !== undefined) return { reason };
  const launches = launchesOf(one, setting, direction);
  if (launch === undefined) return { algorithm: one.name, launch: launches[0].name };
  try {
    return { algorithm: one.name, launch: requireLaunch(one.name, launches, launch).name };
  } catch (error) {
    if (error instanceof Failure) return { reason: `${error.message}. ${error.advice ?? ''}`.trimEnd() };
    throw error;
  }
}

export const isChoice = (a: Choice, b: Choice): boolean =>
  a.algorithm === b.algorithm && a.launch === b.launch;

/** The columns of a benchmark line for a launch. */
export function triedColumns(tried: LaunchResult, problem: ConvProblem) {
  const { algorithm, launch, workspaceBytes: workspace_bytes } = tried;
  const line = { algorithm, launch };
  if (tried.outcome !== 'timed') {
    return { ...line, status: tried.outcome, reason: tried.reason, workspace_bytes };
  }
  const { error, dispatches } = tried;
  return {
    ...line,
    status: 'ok',
    ...timingColumns(tried, flops(problem)),
    error,
    workspace_bytes,
    dispatches,
  };
}
