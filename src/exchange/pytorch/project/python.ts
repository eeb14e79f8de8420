/** Helpers for writing Python. */

/** Text, or what is left out. */
export type PythonPart = string | false | undefined;

/** The parts that are there, one below the other. */
export const lines = (...parts: readonly PythonPart[]): string =>
  parts.filter((part): part is string => typeof part === 'string').join('\n');

/** Functions and classes with two empty lines between them, as a whole file. */
export const sections = (...parts: readonly PythonPart[]): string =>
  `${parts.filter((part): part is string => typeof part === 'string').join('\n\n\n')}\n`;

/** "0.5, 0.25" */
export const list = (values: readonly number[]): string => `[${values.join(', ')}]`;

/** In text: "39,100". */
export const counted = (value: number): string => value.toLocaleString('en');

/** In Python: "39_100". */
export const whole = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, '_');
