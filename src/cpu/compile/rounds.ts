/**
 * Ends loops that do not end. A watched kernel counts the rounds of all its loops, and stops at a number that none reaches
 * within its purpose.
 */
import { get, i32, load, op, type Local } from '../wasm/nodes.ts';
import type { KernelOutput } from './output.ts';
import { REPORT } from './report.ts';

/** In one call of a kernel's function: about a second's. A product of matrices of 512 has half as many, in one invocation. */
export const MOST_ROUNDS = 2 ** 28;

export class Rounds {
  /**
   * @param report the report's address
   * @param at the place that is being lowered
   */
  constructor(
    private readonly out: KernelOutput,
    private readonly report: Local,
    private readonly at: () => number,
  ) {}

  /** Counts a round of a loop, where it begins. */
  begin(): void {
    const { out } = this;
    const address = get(this.report);
    const left = out.once(op('i32.sub', load('i32', address, REPORT.rounds, true), i32(1)));
    out.push({ kind: 'store', address, offset: REPORT.rounds, value: left });
    const reported = { kind: 'store', address, offset: REPORT.endless, value: i32(this.at() + 1) } as const;
    out.push({ kind: 'if', condition: op('i32.eqz', left), yes: [reported, { kind: 'trap' }], no: [] });
  }
}
