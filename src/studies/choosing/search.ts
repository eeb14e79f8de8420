/** Searches problems once each, and holds rule and prediction against the winner. */
import { find } from '../../engine/ops/conv/choice/find.ts';
import { get } from '../../engine/ops/conv/choice/get.ts';
import type { Choice, Found, Timed } from '../../engine/ops/conv/choice/types.ts';
import { problemKey, type ConvProblem, type Direction } from '../../engine/ops/conv/problem.ts';
import type { NumberType } from '../../engine/plan.ts';
import type { StudyContext } from '../study.ts';
import { requireGoOn, searching } from '../times.ts';
import { FAMILIES, ruleFor, type Rule } from './rules.ts';

/** Launches that a search tries, at most, beside every algorithm's best guess. */
const MOST = 6;

export interface Verdict {
  rule: Rule | undefined;
  get: Choice;
  best: Timed | undefined;
  /** Milliseconds; undefined if what the rule or get says was not measured. */
  ruleMs: number | undefined;
  getMs: number | undefined;
  /** Why nothing was measured. */
  missing?: string;
}

export class Searches {
  private readonly found = new Map<string, Found>();

  constructor(private readonly context: StudyContext) {}

  /** Milliseconds that all searches took. */
  get elapsedMs(): number {
    return [...this.found.values()].reduce((sum, { elapsedMs }) => sum + elapsedMs, 0);
  }

  async of(problem: ConvProblem, direction: Direction, number: NumberType): Promise<Found> {
    const key = `${problemKey(problem)} ${direction} ${number}`;
    const known = this.found.get(key);
    if (known) return known;
    requireGoOn(this.context);
    const { device } = this.context;
    const found = await find(device, problem, direction, {
      number,
      most: MOST,
      samples: 5,
      ...searching(this.context),
    });
    this.found.set(key, found);
    return found;
  }

  async verdict(problem: ConvProblem, number: NumberType): Promise<Verdict> {
    const { tried, best, absent } = await this.of(problem, 'fprop', number);
    const timed = tried
      .filter((one): one is Timed => one.outcome === 'timed')
      .sort((a, b) => a.median - b.median);
    const predicted = get(this.context.device, problem, 'fprop', { number });
    const rule = ruleFor(problem, number);
    const same = (choice: Choice | undefined) => (one: Timed) =>
      one.algorithm === choice?.algorithm && one.launch === choice.launch;
    return {
      rule,
      get: predicted,
      best: timed.find(same(best)),
      ruleMs: rule && timed.find(({ algorithm }) => FAMILIES[rule.choice].includes(algorithm))?.median,
      getMs: timed.find(same(predicted))?.median,
      ...(best ? {} : { missing: absent[0]?.reason ?? 'no algorithm could be measured' }),
    };
  }
}
