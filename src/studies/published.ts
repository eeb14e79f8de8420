/** What a source prints, as figures show it. */
import type { Published } from './study.ts';

/** "9.143 ms", "38.97 %", "12X", "0.8236". */
export const printed = ({ value, unit }: Published): string =>
  [value, unit].join(unit === '' || unit === 'X' ? '' : ' ');

/** Powers of ten. */
const MILLISECONDS: Readonly<Record<string, number>> = { s: 3, ms: 0, us: -3 };

/** @throws Error if its unit is not one of time */
export function milliseconds({ what, value, unit }: Published): number {
  const power = MILLISECONDS[unit];
  if (power === undefined) throw new Error(`wgrad bug: "${what}" is in ${unit}, which is no time`);
  return Number(`${value}e${power}`);
}
