/**
 * Predicts which launch is fastest, without any work on the device. For GPUs the time of every launch is predicted from
 * the dispatches that it would add to a plan: see ../../../cost.ts. Processors have few launches to choose from, and
 * rules for these.
 */
import { Failure } from '../../../../base/result.ts';
import type { Device } from '../../../../gpu/device.ts';
import { predictedTime } from '../../../cost.ts';
import { PlanBuilder } from '../../../plan.ts';
import type { ConvSetting, Launch } from '../algorithm.ts';
import { convAlgorithms } from '../algorithms/index.ts';
import type { ConvProblem, Direction } from '../problem.ts';
import {
  convTensorShape,
  convTensorType,
  DEFAULT_WORKSPACE,
  DIRECTION_TENSORS,
  launchesOf,
  planConv,
  whyNot,
} from '../run.ts';
import type { Choice, GetOptions } from './types.ts';

/** The algorithms to take on a processor, the best first. */
interface Rule {
  when(problem: ConvProblem, direction: Direction): boolean;
  prefer: readonly string[];
}

const fewest = ({ C, K, groups }: ConvProblem) => Math.min(C, K) / groups;
const isDense = ({ stride, dilation, groups }: ConvProblem) =>
  [...stride, ...dilation, groups].every((one) => one === 1);

/**
 * Channels from which large Winograd tiles are fastest for 3x3 filters on software adapters: only arithmetic counts
 * there.
 */
const SOFTWARE_CHANNELS = 16;

const SOFTWARE_RULES: readonly Rule[] = [
  {
    when: (problem, direction) =>
      problem.R === 3 &&
      problem.S === 3 &&
      isDense(problem) &&
      direction !== 'wgrad' &&
      fewest(problem) >= SOFTWARE_CHANNELS &&
      Math.min(problem.P, problem.Q) >= 4,
    prefer: ['winograd_f4x3'],
  },
];

/** On the processor itself, tiles of outputs in registers beat all gathering, but for products of many channels. */
const CPU_RULES: readonly Rule[] = [
  {
    // Gathering costs more than writing columns out.
    when: ({ stride }, direction) => direction === 'dgrad' && Math.max(...stride) > 1,
    prefer: ['im2col_gemm'],
  },
  { when: ({ R, S }) => R === 1 && S === 1, prefer: ['gemm_1x1'] },
  { when: () => true, prefer: ['direct'] },
];

/** What any problem can be computed by. */
const ALWAYS: readonly string[] = ['implicit_gemm', 'direct'];

/**
 * @throws Failure `unsupported` if none of `options.algorithms` supports the problem
 */
export function get(
  device: Device,
  problem: ConvProblem,
  direction: Direction,
  {
    algorithms = convAlgorithms.names(),
    workspace = DEFAULT_WORKSPACE,
    number = 'f32',
    exclude = () => false,
  }: GetOptions = {},
): Choice {
  const setting: ConvSetting = { device, problem, workspace, number };
  const reasons: string[] = [];
  /** The launches of an algorithm that may be taken. */
  const available = (name: string): Launch<Direction>[] => {
    const algorithm = convAlgorithms.get(name);
    const reason = whyNot(algorithm, setting, direction);
    if (reason !== undefined) reasons.push(`${name}: ${reason}`);
    return reason === undefined
      ? launchesOf(algorithm, setting, direction).filter(({ name: launch }) => !exclude(name, launch))
      : [];
  };
  const choice = device.onProcessor
    ? byRules(setting, direction, algorithms, available)
    : byTime(setting, direction, algorithms, available);
  if (choice) return choice;
  const why = reasons.length > 0 ? ` (${reasons[0]})` : '';
  throw new Failure('unsupported', `none of ${algorithms.join(', ')} supports this ${direction}${why}`);
}

type Available = (algorithm: string) => Launch<Direction>[];

function byRules(
  { device, problem }: ConvSetting,
  direction: Direction,
  algorithms: readonly string[],
  available: Available,
): Choice | undefined {
  const rules = device.adapter.cpu ? CPU_RULES : SOFTWARE_RULES;
  const preferred = rules.find(({ when }) => when(problem, direction))?.prefer ?? [];
  for (const algorithm of new Set([...preferred, ...ALWAYS, ...algorithms])) {
    if (!algorithms.includes(algorithm)) continue;
    const [launch] = available(algorithm);
    if (launch) return { algorithm, launch: launch.name };
  }
  return undefined;
}

function byTime(
  setting: ConvSetting,
  direction: Direction,
  algorithms: readonly string[],
  available: Available,
): Choice | undefined {
  const timed = (algorithm: string, launch: Launch<Direction>) => ({
    choice: { algorithm, launch: launch.name },
    time: timeOf(setting, direction, launch),
  });
  const rows = algorithms.flatMap((algorithm) => {
    const [guess, ...others] = available(algorithm);
    return guess ? [{ algorithm, guess: timed(algorithm, guess), others }] : [];
  });
  let best = rows.map(({ guess }) => guess).reduce((a, b) => (b.time < a.time ? b : a), NOTHING);
  const hopeful = rows.filter(({ guess }) => guess.time <= HOPELESS * best.time);
  for (const { algorithm, others } of hopeful) {
    for (const launch of others) {
      const one = timed(algorithm, launch);
      if (one.time < best.time) best = one;
    }
  }
  return best.choice;
}

const NOTHING: { choice: Choice | undefined; time: number } = { choice: undefined, time: Infinity };

/** If an algorithm's own guess takes this many times the time of the best of these, its other launches do not count. */
const HOPELESS = 3;

/** Microseconds that a launch is predicted to take. */
export function timeOf(setting: ConvSetting, direction: Direction, launch: Launch<Direction>): number {
  const plan = new PlanBuilder(setting.device);
  const { inputs, output } = DIRECTION_TENSORS[direction];
  const tensor = (name: (typeof inputs)[number] | typeof output) =>
    plan.tensor(name, convTensorShape(setting.problem, name), convTensorType(setting, name));
  const tensors = Object.fromEntries([...inputs, output].map((name) => [name, tensor(name)]));
  planConv(plan, launch.name, launch, tensors);
  return predictedTime(setting.device, plan.added);
}
