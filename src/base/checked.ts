/** Checks of values from outside by Valibot's schemas. */
import * as v from 'valibot';
import { Failure } from './result.ts';

/**
 * A value that fits a schema.
 * @param where for messages: "backup.zip: the run"
 * @throws Failure('bad-file') naming the first part that does not fit
 */
export function checked<S extends v.GenericSchema>(
  where: string,
  schema: S,
  given: unknown,
  advice?: string,
): v.InferOutput<S> {
  const result = v.safeParse(schema, given);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const part = v.getDotPath(issue)?.slice(0, 80);
  const value = issue.expected ?? issue.message;
  const isMissing = issue.path?.at(-1)?.origin === 'key';
  const expected = part === undefined ? value : isMissing ? `a value for ${part}` : `${part} to be ${value}`;
  const found = issue.received.slice(0, 60);
  throw new Failure('bad-file', `${where}: expected ${expected}, found ${found}`, advice);
}
