/** Ops whose dispatches are fetched with the first network that has them, so that a page starts without. */
import { assert } from '../../base/assert.ts';
import { lazily } from '../../base/lazily.ts';
import type { Op, Passes } from '../op.ts';

export function fetchedPasses<A>(
  load: () => Promise<{ default: Passes<A> }>,
): Pick<Op<A>, 'fetch' | keyof Passes<A>> {
  const loading = lazily(load);
  let passes: Passes<A> | undefined;
  const here = (): Passes<A> => {
    assert(passes !== undefined, 'an op computes before it was fetched');
    return passes;
  };
  return {
    fetch: async () => void (passes ??= (await loading()).default),
    forward: (plan, node) => here().forward(plan, node),
    backward: (plan, node) => here().backward(plan, node),
  };
}
