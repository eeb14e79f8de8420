/** Profiles from files: what Method downloads can be compared with later, also on another device. */
import * as v from 'valibot';
import { checked } from '../../../base/checked.ts';
import { parsePlainJson } from '../../../base/plain-json.ts';
import { Failure } from '../../../base/result.ts';
import type { RunProfile } from '../../state/profile-store.ts';

const ADVICE = 'Choose a JSON file that was downloaded in Profile.';

const amount = v.pipe(v.number(), v.finite());
const Time = v.looseObject({ median: amount, p10: amount, p90: amount });

/** What comparing reads. */
const Saved = v.pipe(
  v.looseObject({
    model: v.string(),
    date: v.pipe(
      v.string(),
      v.check((text) => !Number.isNaN(Date.parse(text)), 'a date'),
    ),
    batchSize: amount,
    wall: Time,
    kernels: v.pipe(
      v.array(v.looseObject({ kernel: v.string(), pass: v.string(), time: Time })),
      v.minLength(1),
    ),
    spans: v.array(
      v.looseObject({
        row: v.string(),
        name: v.string(),
        start: amount,
        ms: amount,
        kernel: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
      }),
    ),
  }),
  v.forward(
    v.check(
      ({ kernels, spans }) => spans.every(({ kernel = 0 }) => kernel < kernels.length),
      "of the profile's kernels",
    ),
    ['spans'],
  ),
);

/** @throws Failure `bad-file` naming the first part that is wrong */
export function readProfile(name: string, text: string): RunProfile {
  let json: unknown;
  try {
    json = parsePlainJson(text);
  } catch (error) {
    throw new Failure('bad-file', `${name}: ${(error as Error).message}`, ADVICE);
  }
  const { date } = checked(name, Saved, json, ADVICE);
  return { ...(json as RunProfile), date: new Date(date), trace: '' };
}
