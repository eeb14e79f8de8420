/**
 * A share as "95.1 %", rounded to the nearest of so many digits behind the point. Only all of something is 100 %, and only
 * nothing of it 0 %: what would be rounded there is ">99.9 %" and "<0.1 %".
 * @param share 1 is all; differences of shares can be negative, and changes more than 1
 */
export function percent(share: number, digits = 1): string {
  const least = 10 ** -digits;
  const rounded = Number((100 * share).toFixed(digits));
  if (rounded === 0 && share > 0) return `<${least.toFixed(digits)} %`;
  if (rounded === 100 && share < 1) return `>${(100 - least).toFixed(digits)} %`;
  // No "-0.0".
  return `${(rounded + 0).toFixed(digits)} %`;
}
