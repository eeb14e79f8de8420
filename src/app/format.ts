import type { Shape } from '../base/shape.ts';

export { accuracy, measuredOn } from '../base/accuracy.ts';
export { percent } from '../base/percent.ts';

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** 12345 as "12,345". */
export const count = (value: number): string => whole.format(value);

/** "1 step", "1,200 steps". */
export const steps = (value: number): string => `${count(value)} ${value === 1 ? 'step' : 'steps'}`;

/** A text as the page writes it: "3x3" with a sign, curly quotes, and numbers on a line with their units. */
export const prose = (text: string): string =>
  text
    .replaceAll(/\b([1-9]\d*)(?:x| × )(?=\d)/g, '$1\u00a0×\u00a0')
    // Quotes within names that somebody gave stay as they are.
    .replaceAll(/(?<![=\\\w])"([^"\\<>=]*)"(?!\w)/g, '“$1”')
    .replaceAll(/(?<=[a-z])'/g, '’')
    .replaceAll(/(?<=\d) (?=%|(?:[mµ]?s|min|h|[kKMG]i?B|[kMGT]FLOP)\b)/g, '\u00a0');

/** A loss to four significant digits: "2.303", "0.04512"; "9.794e+16" where it explodes. */
export const loss = (value: number): string => {
  if (!Number.isFinite(value)) return String(value);
  if (Math.abs(value) >= 1e6) return Number(value.toPrecision(4)).toExponential();
  return Math.abs(value) >= 1e-4 || value === 0
    ? Number(value.toPrecision(4)).toString()
    : value.toExponential(2);
};

/** Rates vary, so only three digits are significant: "1,240", "98,300", "23.4". */
export const rate = (value: number): string => {
  if (!Number.isFinite(value)) return '–';
  return value >= 1000 ? count(Number(value.toPrecision(3))) : Number(value.toPrecision(3)).toString();
};

/** "23 Nov 2026" */
export const date = (value: Date): string => value.toLocaleDateString('en-GB', { dateStyle: 'medium' });

/** "23 Nov 2026, 15:54" */
export const dateAndTime = (value: Date): string =>
  value.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** "15:54:02" */
export const timeOfDay = (value: Date): string => value.toLocaleTimeString('en-GB');

/** Sizes of files and of storage, in the units of download dialogs. */
export const bytes = (value: number): string => {
  if (value < 1e6) return `${Math.max(1, Math.round(value / 1e3))} kB`;
  return value < 999.95e6 ? `${(value / 1e6).toFixed(1)} MB` : `${(value / 1e9).toFixed(2)} GB`;
};

/** [6, 28, 28] as "6 × 28 × 28". */
export const shape = (sizes: Shape): string => sizes.join(' × ');

const three = (value: number): string => {
  const rounded = Number(value.toPrecision(3));
  return rounded >= 1000 ? count(rounded) : rounded.toPrecision(3).replace(/\.$/, '');
};

/** Milliseconds to three digits in the unit that suits them: "21.4 µs", "3.20 ms", "1.50 s". */
export const time = (ms: number): string => {
  if (!Number.isFinite(ms)) return '–';
  if (ms < 0.9995) return `${three(1000 * ms)} µs`;
  return ms < 999.5 ? `${three(ms)} ms` : `${three(ms / 1000)} s`;
};

/** Seconds as people say them, roughly: "0.5 s", "42 s", "1.6 min", "2.5 h". */
export const seconds = (value: number): string => {
  if (!Number.isFinite(value)) return '–';
  if (value < 90) return `${Number(value.toPrecision(2))} s`;
  return value < 5400
    ? `${Number((value / 60).toPrecision(2))} min`
    : `${Number((value / 3600).toPrecision(2))} h`;
};

/** Operations a second: "12.3 TFLOP/s", "870 GFLOP/s". */
export const flopRate = (perSecond: number): string => {
  if (perSecond >= 0.9995e12) return `${three(perSecond / 1e12)} TFLOP/s`;
  if (perSecond >= 0.9995e9) return `${three(perSecond / 1e9)} GFLOP/s`;
  return perSecond >= 0.9995e6 ? `${three(perSecond / 1e6)} MFLOP/s` : `${three(perSecond / 1e3)} kFLOP/s`;
};

/** Operations: "4.72 MFLOP". */
export const flops = (value: number): string => flopRate(value).replace('/s', '');

/** Memory moved a second: "1.23 TB/s", "456 GB/s". */
export const byteRate = (perSecond: number): string => {
  if (perSecond >= 0.9995e12) return `${three(perSecond / 1e12)} TB/s`;
  if (perSecond >= 0.9995e9) return `${three(perSecond / 1e9)} GB/s`;
  return perSecond >= 0.9995e6 ? `${three(perSecond / 1e6)} MB/s` : `${three(perSecond / 1e3)} kB/s`;
};

/** How many times: "1.32×", "14×". */
export const times = (factor: number): string =>
  `${factor < 10 ? factor.toFixed(2) : count(Number(factor.toPrecision(2)))}×`;

/** Memory, in powers of two as limits have it. */
export const memory = (value: number): string => {
  if (value < 2 ** 10) return `${value} B`;
  if (value < 2 ** 20) return `${three(value / 2 ** 10)} KiB`;
  return value < 2 ** 30 ? `${three(value / 2 ** 20)} MiB` : `${three(value / 2 ** 30)} GiB`;
};

/** A relative error: "2.1e-7"; zero is "exact". */
export const relativeError = (value: number): string =>
  value === 0 ? 'exact' : value.toExponential(1).replace('e+', 'e');
