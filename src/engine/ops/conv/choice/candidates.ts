/** Which launches are worth measuring. */
import type { ConvAlgorithm, ConvSetting, Launch } from '../algorithm.ts';
import { convAlgorithms } from '../algorithms/index.ts';
import type { Direction } from '../problem.ts';
import { launchesOf, whyNot } from '../run.ts';
import { ranking } from './get.ts';
import type { Choice, FindOptions } from './types.ts';

const isChoice = (a: Choice, b: Choice) => a.algorithm === b.algorithm && a.launch === b.launch;

export interface Candidate {
  algorithm: ConvAlgorithm;
  launch: Launch<Direction>;
}

/** Launches that are measured by default; compiling them takes most of the time. */
const MOST = 10;
/** How many are worth a try at all. */
export const MAX_TRIED = 24;
/**
 * The same for software adapters, where compiling takes longer and times mean little: hardly more than one launch per
 * algorithm.
 */
const MAX_ON_SOFTWARE = 6;

/** The launches predicted to be fastest that are always measured; on software adapters, predictions mean little. */
const FAVOURED = 5;
const FAVOURED_ON_SOFTWARE = 1;

/**
 * The launches predicted to be fastest come first, then every algorithm's best guess, then their second guesses and so
 * on, until there are enough. Excluded launches do not count.
 */
export function candidatesFor(
  setting: ConvSetting,
  direction: Direction,
  {
    algorithms = convAlgorithms.names(),
    also = [],
    exclude = () => false,
    most = setting.device.onProcessor ? MAX_ON_SOFTWARE : MOST,
  }: Pick<FindOptions, 'algorithms' | 'also' | 'exclude' | 'most'>,
): { candidates: Candidate[]; absent: { algorithm: string; reason: string }[] } {
  const absent: { algorithm: string; reason: string }[] = [];
  const rows: Candidate[][] = [];
  for (const name of algorithms) {
    const algorithm = convAlgorithms.get(name);
    const reason = whyNot(algorithm, setting, direction);
    if (reason !== undefined) {
      absent.push({ algorithm: name, reason });
      continue;
    }
    const launches = launchesOf(algorithm, setting, direction);
    const row = launches.filter((launch) => !exclude(name, launch.name));
    if (row.length > 0) rows.push(row.map((launch) => ({ algorithm, launch })));
    else absent.push({ algorithm: name, reason: 'all of its variants are excluded' });
  }
  if (rows.length === 0) return { candidates: [], absent };
  const longest = Math.max(...rows.map((row) => row.length));
  const inTurn = Array.from({ length: longest }, (_, i) => rows.flatMap((row) => row.slice(i, i + 1))).flat();
  const named = (choices: readonly Choice[]): Candidate[] =>
    choices.flatMap(
      (choice) =>
        inTurn.find(({ algorithm, launch }) =>
          isChoice({ algorithm: algorithm.name, launch: launch.name }, choice),
        ) ?? [],
    );
  const favoured = named(ranking(setting, direction)).slice(
    0,
    setting.device.onProcessor ? FAVOURED_ON_SOFTWARE : FAVOURED,
  );
  // Every algorithm's best guess is measured, however many there are.
  const certain = new Set([...favoured, ...named(also), ...rows.map(([best]) => best)]);
  const all = [...new Set([...certain, ...inTurn])];
  return { candidates: all.slice(0, Math.max(most, certain.size)), absent };
}
