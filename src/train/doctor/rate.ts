import type { CheckFix } from './check.ts';

/** Two digits are as precise as advice can be. */
export function rateFix(lr: number): CheckFix {
  const rate = Number(lr.toPrecision(2));
  return { title: `Set learning rate to ${rate}`, settings: { lr: rate } };
}
