import type { Shape } from '../base/shape.ts';

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** 12345 as "12,345". */
export const count = (value: number): string => whole.format(value);

/** 0.9512 as "95.12 %"; the digits say how fine the measure is. */
export const percent = (share: number, digits = 1): string => `${(100 * share).toFixed(digits)} %`;

/** A loss to four significant digits: "2.303", "0.04512". */
export const loss = (value: number): string => {
  if (!Number.isFinite(value)) return String(value);
  return Math.abs(value) >= 1e-4 || value === 0
    ? Number(value.toPrecision(4)).toString()
    : value.toExponential(2);
};

/** Rates vary, so three digits are all that mean something: "1,240", "98,300", "23.4". */
export const rate = (value: number): string => {
  if (!Number.isFinite(value)) return '–';
  return value >= 1000 ? count(Number(value.toPrecision(3))) : Number(value.toPrecision(3)).toString();
};

/** Sizes in the units that download dialogs use. */
export const bytes = (value: number): string =>
  value < 1e6 ? `${Math.max(1, Math.round(value / 1e3))} kB` : `${(value / 1e6).toFixed(1)} MB`;

/** [6, 28, 28] as "6 × 28 × 28". */
export const shape = (sizes: Shape): string => sizes.join(' × ');
