/** What a source prints, as figures show it. */
import type { Published } from './study.ts';

/** "9.143 ms", "38.97 %", "0.8236". */
export const printed = ({ value, unit }: Published): string => (unit === '' ? value : `${value} ${unit}`);

const MILLISECONDS: Readonly<Record<string, number>> = { s: 1000, ms: 1, us: 0.001 };

/** @throws Error if its unit is not one of time */
export function milliseconds({ what, value, unit }: Published): number {
  const factor = MILLISECONDS[unit];
  if (factor === undefined) throw new Error(`wgrad bug: "${what}" is in ${unit}, which is no time`);
  return factor * Number(value);
}
