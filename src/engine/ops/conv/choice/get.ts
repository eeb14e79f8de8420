/**
 * Predicts which launch is fastest, without any work on the device: the time of every launch from the dispatches that it
 * would add to a plan, and the speed of the device: see ../../../cost.ts. On processors, where predictions are off by
 * factors, rules come first: they name the algorithms that won where they were measured.
 */
import { Failure } from '../../../../base/result.ts';
import type { Device } from '../../../../gpu/device.ts';
import { paceOf, predictedTime } from '../../../cost.ts';
import type { ConvSetting, Launch } from '../algorithm.ts';
import { convAlgorithms } from '../algorithms/index.ts';
import { problemKey, type ConvProblem, type Direction } from '../problem.ts';
import { barePlan, launchesOf, usualWorkspace, whyNever, whyNot } from '../run.ts';
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
    workspace = usualWorkspace(device),
    number = 'f32',
    exclude = () => false,
  }: GetOptions = {},
): Choice {
  const setting: ConvSetting = { device, problem, workspace, number };
  const choice = firstOf(setting, direction, algorithms, exclude);
  if (choice) return choice;
  const reasons = algorithms.flatMap((name) => {
    const reason = whyNot(convAlgorithms.get(name), setting, direction);
    return reason === undefined ? [] : [`${name}: ${reason}`];
  });
  const why = reasons.length > 0 ? ` (${reasons[0]})` : '';
  throw new Failure('unsupported', `none of ${algorithms.join(', ')} supports this ${direction}${why}`);
}

/** The launch of these algorithms that is predicted to be fastest; undefined if none supports the problem. */
export const firstOf = (
  setting: ConvSetting,
  direction: Direction,
  algorithms: readonly string[],
  exclude: NonNullable<GetOptions['exclude']> = () => false,
): Choice | undefined =>
  ranking(setting, direction).find(
    ({ algorithm, launch }) => algorithms.includes(algorithm) && !exclude(algorithm, launch),
  );

/** Networks repeat their layers, and a ranking takes milliseconds. */
const rankings = new WeakMap<Device, Map<string, readonly Choice[]>>();

/** All launches, the one predicted to be fastest first. */
export function ranking(setting: ConvSetting, direction: Direction): readonly Choice[] {
  const { device, problem, workspace, number, launchSize } = setting;
  const known = rankings.get(device) ?? new Map<string, readonly Choice[]>();
  rankings.set(device, known);
  const algorithms = convAlgorithms.names();
  const asked = [
    problemKey(problem),
    direction,
    workspace,
    number,
    JSON.stringify(launchSize),
    algorithms.length,
  ];
  const { cpu, software } = device.adapter;
  const key = [...asked, cpu, software, ...Object.values(paceOf(device))].join(' ');
  const made = known.get(key) ?? rank(setting, direction, algorithms);
  known.set(key, made);
  return made;
}

function rank(setting: ConvSetting, direction: Direction, algorithms: readonly string[]): readonly Choice[] {
  const preferred = preferredOn(setting, direction);
  const choices = algorithms.flatMap((name) => {
    const algorithm = convAlgorithms.get(name);
    if (whyNever(algorithm, setting, direction) !== undefined) return [];
    const place = preferred.indexOf(name);
    return launchesOf(algorithm, setting, direction).map((launch) => ({
      choice: { algorithm: name, launch: launch.name },
      place: place < 0 ? preferred.length : place,
      // The launches of preferred algorithms stay in their own order.
      time: place < 0 ? timeOf(setting, direction, launch) : 0,
    }));
  });
  return choices.sort((a, b) => a.place - b.place || a.time - b.time).map(({ choice }) => choice);
}

/** The algorithms that come before all others, whatever is predicted. */
function preferredOn({ device, problem }: ConvSetting, direction: Direction): readonly string[] {
  if (!device.onProcessor) return [];
  const rules = device.adapter.cpu ? CPU_RULES : SOFTWARE_RULES;
  const preferred = rules.find(({ when }) => when(problem, direction))?.prefer ?? [];
  return [...new Set([...preferred, ...ALWAYS])];
}

/** Microseconds that a launch is predicted to take. */
const timeOf = (setting: ConvSetting, direction: Direction, launch: Launch<Direction>): number =>
  predictedTime(setting.device, barePlan(setting, direction, launch).added);
