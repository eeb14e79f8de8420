/** Numbers as people read them. */

/** 12345 as "12,345". */
export const whole = (value: number): string => value.toLocaleString('en');

/** 0.0142 as "1.4 %". */
export const percent = (share: number): string => `${(100 * share).toPrecision(2).replace('e+', 'e')} %`;
