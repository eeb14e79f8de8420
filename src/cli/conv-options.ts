/** Common options of commands about convolutions, and the problems that they select. */
import type { PaddingSetting } from '../base/padding.ts';
import { Failure } from '../base/result.ts';
import type { LaunchSize } from '../engine/ops/conv/algorithm.ts';
import { convAlgorithms } from '../engine/ops/conv/algorithms/index.ts';
import { convLayers } from '../engine/ops/conv/choice/layers.ts';
import { LAYOUTS, type Layout } from '../engine/ops/conv/layout.ts';
import {
  convProblem,
  DIRECTIONS,
  parseProblem,
  type ConvProblem,
  type Direction,
} from '../engine/ops/conv/problem.ts';
import { suiteCases, suites } from '../models/suites.ts';
import { bytes, choice, integer, optional, withDefault } from './arguments.ts';
import { readModel } from './model.ts';

export const directionOption = withDefault(choice([...DIRECTIONS, 'all'], 'direction'), 'all');

export const directionsOf = (given: Direction | 'all'): readonly Direction[] =>
  given === 'all' ? DIRECTIONS : [given];

export const workspaceOption = optional(
  bytes(
    'BYTES',
    'workspace limit per convolution; suffixes K, M, G (default 64M, up to 512M on GPUs that bind large buffers)',
  ),
);

export const layoutOption = withDefault(
  choice(LAYOUTS, 'where channels of images and filters are in memory: second or last'),
  'nchw',
);

export const numberOption = withDefault(
  choice(['f32', 'f16'], 'storage precision; accumulation is f32'),
  'f32',
);

const RESIZABLE = convAlgorithms.all().flatMap(({ name, resizable }) => (resizable ? [name] : []));

export const launchSizeOptions = {
  'workgroup-size': optional(
    integer('N', `threads per workgroup, any number that the device supports; for ${RESIZABLE.join(', ')}`, {
      min: 1,
      max: 65536,
    }),
  ),
  workgroups: optional(
    integer('N', 'workgroups, which share the work; likewise (default: as many as the work needs)', {
      min: 1,
      max: 65535,
    }),
  ),
};

/**
 * The size that a person chose; undefined without one.
 * @param algorithm as it is named on the command line
 * @throws Failure `bad-input` if it has none to choose
 */
export function launchSizeOf(
  { 'workgroup-size': threads, workgroups }: { 'workgroup-size'?: number; workgroups?: number },
  algorithm: string,
): LaunchSize | undefined {
  if (threads === undefined && workgroups === undefined) return undefined;
  if (RESIZABLE.includes(algorithm)) return { threads, workgroups };
  const option = threads === undefined ? 'workgroups' : 'workgroup-size';
  throw new Failure(
    'bad-input',
    `expected --${option} with --algorithm ${RESIZABLE.join(' or ')}, found ${algorithm}`,
  );
}

/** A problem from a suite, a model or the command line. */
export interface NamedCase {
  suite?: string;
  /** The first layer with this problem. */
  layer?: string;
  /** The number of layers with this problem. */
  count: number;
  problem: ConvProblem;
  directions: readonly Direction[];
}

/** Padding and layout, instead of the problems' own. */
interface Changed {
  padding?: PaddingSetting;
  layout?: Layout;
}

/**
 * @param names of suites, separated by commas, or `all`
 * @param batch N, instead of the suites' defaults
 */
export function casesOfSuites(names: string, batch: number | undefined, changed: Changed = {}): NamedCase[] {
  return suitesNamed(names).flatMap((suite) =>
    suiteCases(suites.get(suite), batch).map(({ name, layers, problem }) => ({
      suite,
      layer: name,
      count: layers.length,
      problem: convProblem({ ...problem, ...changed }),
      directions: DIRECTIONS,
    })),
  );
}

export const suitesNamed = (names: string): string[] => (names === 'all' ? suites.names() : names.split(','));

export async function casesOfModel(given: string, batch: number): Promise<NamedCase[]> {
  const { layers, input } = await readModel(given);
  return convLayers(layers, [batch, ...input]).map((one) => ({ ...one, count: 1 }));
}

export const casesOfProblems = (problems: readonly string[], changed: Changed = {}): NamedCase[] =>
  problems.map((text) => ({
    count: 1,
    problem: convProblem({ ...parseProblem(text), ...changed }),
    directions: DIRECTIONS,
  }));

/** The only value that is given. @throws Failure `bad-input` */
export function onlyOne(given: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(given).filter((name) => given[name] !== undefined);
  if (names.length === 1) return;
  const all = Object.keys(given).join(', ');
  throw new Failure(
    'bad-input',
    `expected one of ${all}${names.length > 1 ? `, found ${names.join(' and ')}` : ''}`,
  );
}
