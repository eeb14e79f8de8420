/** Data of the right form with one part of another kind, as no honest program writes them. */
import type { Random } from '../random.ts';

/** Values that break readers which trust their input. */
const HOSTILE: readonly unknown[] = [
  null,
  true,
  '',
  'constructor',
  '__proto__',
  -1,
  0.5,
  1e308,
  2 ** 53,
  [],
  {},
  [null],
  [[[[1]]]],
  { $: 'x' },
  'x'.repeat(10_000),
];

/** Plain data with one part replaced or missing. */
export function replaced(value: unknown, seed: Random): unknown {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || seed.below(6) === 0)
    return HOSTILE[seed.below(HOSTILE.length)];
  const keys = Object.keys(value);
  if (keys.length === 0) return HOSTILE[seed.below(HOSTILE.length)];
  const key = keys[seed.below(keys.length)];
  if (Array.isArray(value))
    return value.map((one: unknown, i) => (String(i) === key ? replaced(one, seed) : one));
  const inner = seed.below(10) === 0 ? undefined : replaced((value as Record<string, unknown>)[key], seed);
  return { ...value, [key]: inner };
}
