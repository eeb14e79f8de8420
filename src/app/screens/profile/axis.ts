/** What of a line's end is left free, so that what is written at a tick has room. */
const FREE = 0.06;

/** Round places along a line of `length`: three to seven of them, from 0. */
export function ticksOf(length: number): number[] {
  const rough = length / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => length / size <= 6) ?? 10 * power;
  return Array.from({ length: Math.floor(((1 - FREE) * length) / step) + 1 }, (_, i) => i * step);
}
