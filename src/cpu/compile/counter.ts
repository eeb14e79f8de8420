/** Counters of loops: variables that only the loop's step changes. */
import type { Expression, WgslStatement } from '../wgsl/syntax.ts';
import { mentions, rootOf, someStatement } from '../wgsl/walk.ts';
import type { Value } from './values.ts';

/** A loop of any kind. */
export type Loop = WgslStatement & { kind: 'loop' };

/** The parts of `for (var i = first; i < end; i += by)`. */
interface Counter {
  name: string;
  first: Expression;
  end: Expression;
  by: Expression;
}

/** A counter with the values of its parts. */
export type Counted = Counter & { values: Record<'first' | 'end' | 'by', Value> };

/** A loop's counter, if only the loop's step changes it. */
export function counterOf({ start, condition, step: [change], body }: Loop): Counter | undefined {
  if (start?.kind !== 'var' || !start.value || condition?.kind !== 'binary' || condition.operator !== '<')
    return undefined;
  const { name } = start;
  const isOwn = (expression: Expression) => expression.kind === 'name' && expression.name === name;
  if (!isOwn(condition.left) || change?.kind !== 'assign' || change.operator !== '+') return undefined;
  const isChanged = someStatement(body, (one) => one.kind === 'assign' && rootOf(one.target) === name);
  if (!isOwn(change.target) || isChanged) return undefined;
  if (mentions(condition.right, name) || mentions(change.value, name)) return undefined;
  return { name, first: start.value, end: condition.right, by: change.value };
}
