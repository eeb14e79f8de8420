/** Reads tuning results; apart from db.ts, because a first visit has none. */
import * as v from 'valibot';
import { checked } from '../../../../base/checked.ts';
import { parsePlainJson } from '../../../../base/plain-json.ts';
import { Failure } from '../../../../base/result.ts';
import { DIRECTIONS } from '../problem.ts';
import { FindDb, FORMAT, VERSION } from './db.ts';

const amount = v.pipe(v.number(), v.finite(), v.minValue(0));
const date = v.pipe(v.string(), v.isoTimestamp('a date'));
const platform = { adapter: v.string(), runtime: v.string() };
const choice = { algorithm: v.string(), launch: v.string() };

const Stored = v.object({
  format: v.literal(FORMAT),
  version: v.literal(VERSION),
  paces: v.array(
    v.object({
      ...platform,
      pace: v.object({ cores: amount, rate: amount, bytes: amount, dispatch: amount }),
      date,
    }),
  ),
  entries: v.array(
    v.object({
      ...platform,
      kernels: v.string(),
      problem: v.string(),
      direction: v.picklist(DIRECTIONS),
      number: v.picklist(['f32', 'f16']),
      workspace: amount,
      best: v.optional(
        v.object({
          ...choice,
          median: amount,
          p10: amount,
          p90: amount,
          clock: v.picklist(['timestamps', 'wall']),
          error: amount,
          workspaceBytes: amount,
        }),
      ),
      quarantine: v.array(v.object({ ...choice, reason: v.string() })),
      date,
    }),
  ),
});

/**
 * Reads a file that `FindDb.toText` wrote.
 * @param name for messages
 * @throws Failure `bad-file` naming the place of the error
 */
export function readDb(name: string, text: string): FindDb {
  let json: unknown;
  try {
    json = parsePlainJson(text);
  } catch (error) {
    throw new Failure('bad-file', `${name}: expected JSON, found ${(error as Error).message}`);
  }
  const { entries, paces } = checked(name, Stored, json);
  return new FindDb(entries, paces);
}
