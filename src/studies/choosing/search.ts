/** Searches problems once each, and holds rules and prediction against the winner. */
import { find } from '../../engine/ops/conv/choice/find.ts';
import { firstOf, get } from '../../engine/ops/conv/choice/get.ts';
import {
  FAMILIES,
  ruleFor,
  type Family,
  type Reading,
  type Ruled,
  type Thresholds,
} from '../../engine/ops/conv/choice/rules.ts';
import type { Choice, FindResult, TimedLaunch } from '../../engine/ops/conv/choice/types.ts';
import { problemKey, type ConvProblem, type Direction } from '../../engine/ops/conv/problem.ts';
import { usualWorkspace } from '../../engine/ops/conv/run.ts';
import type { NumberType } from '../../engine/plan.ts';
import type { StudyContext } from '../study.ts';
import { requireGoOn, searching } from '../times.ts';

/** Launches that a search tries, at most, beside every algorithm's best guess and what each family would take. */
const MAX_LAUNCHES = 6;

export const PRECISIONS = { f32: 'float32', f16: 'float16' } as const;
export const READINGS: readonly Reading[] = ['images', 'pixels'];
const FAMILY_NAMES = Object.keys(FAMILIES) as Family[];

/** The time of what a run would take from each family; null if the family cannot do the problem, or failed. */
export type FamilyTimes = Readonly<Record<Family, number | null>>;

export interface SearchVerdict {
  get: Choice;
  best: TimedLaunch | undefined;
  /** Milliseconds; undefined if what is predicted was not measured. */
  getMs: number | undefined;
  families: FamilyTimes;
  /** Why nothing was measured. */
  missing?: string;
}

export class Searches {
  private readonly found = new Map<string, FindResult>();

  constructor(private readonly context: StudyContext) {}

  /** Milliseconds that all searches took. */
  get elapsedMs(): number {
    return [...this.found.values()].reduce((sum, { elapsedMs }) => sum + elapsedMs, 0);
  }

  /** @param also launches that are measured in any case */
  async of(
    problem: ConvProblem,
    direction: Direction,
    number: NumberType,
    also: readonly Choice[] = [],
  ): Promise<FindResult> {
    const key = `${problemKey(problem)} ${direction} ${number}`;
    const known = this.found.get(key);
    if (known) return known;
    requireGoOn(this.context);
    const { device } = this.context;
    const found = await find(device, problem, direction, {
      number,
      also,
      most: MAX_LAUNCHES,
      samples: 5,
      ...searching(this.context),
    });
    this.found.set(key, found);
    return found;
  }

  async verdict(problem: ConvProblem, number: NumberType): Promise<SearchVerdict> {
    const { device } = this.context;
    const setting = { device, problem, number, workspace: usualWorkspace(device) };
    const firsts = FAMILY_NAMES.map((family) => firstOf(setting, 'fprop', FAMILIES[family]));
    const also = firsts.filter((choice) => choice !== undefined);
    const { tried, best, absent } = await this.of(problem, 'fprop', number, also);
    const predicted = get(device, problem, 'fprop', { number });
    const timed = (choice: Choice | undefined) =>
      tried.find(
        (one): one is TimedLaunch =>
          one.outcome === 'timed' && one.algorithm === choice?.algorithm && one.launch === choice.launch,
      );
    const times = FAMILY_NAMES.map((family, i) => [family, timed(firsts[i])?.median ?? null]);
    return {
      get: predicted,
      best: timed(best),
      getMs: timed(predicted)?.median,
      families: Object.fromEntries(times) as FamilyTimes,
      ...(best ? {} : { missing: absent[0]?.reason ?? 'no algorithm could be measured' }),
    };
  }
}

/** How much longer than the winner, as a share of its time. */
export const lossOf = (ms: number | null | undefined, best: number | undefined): number | null =>
  ms === undefined || ms === null || best === undefined ? null : ms / best - 1;

/** What the rules take for a problem: its time, which is that of the prediction where they cannot apply. */
export interface Ruling {
  /** For people: "FFT"; "Winograd (not possible)"; "–" where no rule applies. */
  text: string;
  /** Undefined where no rule applies. */
  family: Family | undefined;
  ms: number | undefined;
}

export function rulingOf(
  problem: Ruled,
  number: NumberType,
  { families, getMs }: Pick<SearchVerdict, 'families' | 'getMs'>,
  reading: Reading,
  thresholds?: Thresholds,
): Ruling {
  const family = ruleFor(problem, number, reading, thresholds)?.choice;
  const ms = family && families[family];
  if (typeof ms === 'number') return { text: family ?? '', family, ms };
  return { text: family ? `${family} (not possible)` : '–', family: undefined, ms: getMs };
}

/** "implicit_gemm, 64x64x16 4x4" */
export const nameOf = ({ algorithm, launch }: Choice): string => `${algorithm}, ${launch}`;

/** Whether a launch computes on tensor cores; its name says so. */
export const isOnMatrices = ({ launch }: Choice): boolean => launch.includes('tensor cores');
