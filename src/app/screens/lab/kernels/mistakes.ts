import { placesIn, type WgslError } from '../wgsl/errors.ts';
import type { Attempt } from './kernel-store.ts';

/** "a loop that does not end, line 12: while (true) {" */
const AT_LINE = /^(a [^\n]*?), line (\d+): /;

/** The places of what is wrong in a kernel that could not run; none if it ran, or nobody knows where. */
export function mistakesOf(attempt: Attempt | undefined): WgslError[] {
  const answer = attempt?.answer;
  if (!answer || answer.ok || answer.error.code !== 'shader') return [];
  const { message } = answer.error;
  const [, what, line] = AT_LINE.exec(message) ?? [];
  if (line === undefined) return placesIn(message);
  return [{ file: '', line: Number(line), column: 0, message: what }];
}
