import type { Fix } from './check.ts';

/** Two digits are as precise as advice can be. */
export function rateFix(lr: number): Fix {
  const rate = Number(lr.toPrecision(2));
  return { title: `Set learning rate to ${rate}`, settings: { lr: rate } };
}
