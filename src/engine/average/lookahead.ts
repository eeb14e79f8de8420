/**
 * Lookahead: every few steps, slow weights move towards those that are trained, the fast ones, which continue from there
 * (Zhang et al., "Lookahead Optimizer: k steps forward, 1 step back", 2019, https://arxiv.org/abs/1907.08610). Running
 * statistics do the same.
 */
import { power } from '../../base/portable-math.ts';
import type { BufferEntry } from '../network.ts';
import { grid, type PlanBuilder, type Tensor } from '../plan.ts';

/** At the end of the run, slow weights keep this part of themselves for each step between two returns. */
export const KEPT = 0.95;

/**
 * How far step `t`, from 1, moves the slow weights: 1 - 0.95^every (t / steps)^3 when the fast ones return, otherwise 0. At
 * first, slow weights follow the fast ones; at the end they average over about 20 steps. The schedule is that of Jordan's
 * records ("94% on CIFAR-10 in 3.29 Seconds on a Single GPU", 2024, https://arxiv.org/abs/2404.00498), who has every = 5.
 * @param every steps between two returns
 * @param steps of the whole run; after them, the factor stays
 */
export function lookaheadAt(every: number, t: number, steps: number): number {
  if (t % every > 0) return 0;
  return 1 - power(KEPT, every) * power(Math.min(t / steps, 1), 3);
}

/** Values that a workgroup of shaders/average/lookahead.wgsl moves. */
const BLOCK = 1024;

/**
 * Adds to `plan`: moves `slow` towards `fast` by the step's factor, and sets `fast` to the result. Both have the same length.
 * @param entries what lies in them; counts stay
 */
export function lookAhead(
  plan: PlanBuilder,
  fast: Tensor,
  slow: Tensor,
  entries: readonly Pick<BufferEntry, 'offset' | 'length' | 'counts'>[],
): void {
  const table = entries
    .filter(({ counts = false }) => !counts)
    .flatMap(({ offset, length }) =>
      Array.from({ length: Math.ceil(length / BLOCK) }, (_, i) => [
        offset + i * BLOCK,
        Math.min(BLOCK, length - i * BLOCK),
      ]),
    );
  plan.dispatch({
    label: slow.label,
    kernel: { shader: 'average/lookahead' },
    tensors: { blocks: plan.constant('blocks of averages', Uint32Array.from(table.flat())), slow, fast },
    uniforms: { blocks: table.length },
    workgroups: grid(table.length, 1),
  });
}
