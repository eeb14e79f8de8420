/** Runs as they are stored: what is read is checked. */
import * as v from 'valibot';
import { checked } from '../../../base/checked.ts';
import { storedAdjustment, withStoredSettings } from '../../../run/settings/stored.ts';
import { LIVE_KEYS } from '../../../run/settings/table.ts';
import { EVERY_RUN_STATE } from '../../../train/listener.ts';
import type { RunConfig, StoredRun } from '../../api.ts';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const amount = v.pipe(v.number(), v.finite(), v.minValue(0));
const Place = v.object({ step: count });

const Stored = v.object({
  id: v.pipe(v.string(), v.regex(/^[\w-]{1,80}$/)),
  name: v.pipe(v.string(), v.minLength(1)),
  number: count,
  parent: v.optional(v.object({ id: v.string(), name: v.string(), step: v.optional(count) })),
  began: amount,
  kept: amount,
  config: v.looseObject({
    model: v.union([v.string(), v.looseObject({ title: v.string(), layers: v.array(v.unknown()) })]),
    dataset: v.string(),
  }),
  changes: v.fallback(v.optional(v.array(storedAdjustment(LIVE_KEYS))), undefined),
  model: v.string(),
  dataset: v.string(),
  classes: v.array(v.string()),
  adapter: v.string(),
  software: v.boolean(),
  state: v.picklist(EVERY_RUN_STATE),
  step: count,
  epoch: count,
  trainedMs: amount,
  imagesPerSecond: v.optional(amount),
  evaluations: v.fallback(
    v.array(
      v.looseObject({ step: count, epoch: count, testLoss: v.nullable(v.number()), testAccuracy: amount }),
    ),
    [],
  ),
  confusion: v.fallback(v.optional(v.array(count)), undefined),
  choices: v.fallback(
    v.record(v.string(), v.record(v.string(), v.looseObject({ algorithm: v.string() }))),
    {},
  ),
  checkpoint: v.optional(Place),
  weights: v.optional(Place),
  sketch: v.fallback(v.array(v.number()), []),
  sweep: v.optional(v.object({ id: v.string(), name: v.string() })),
  imported: v.optional(v.object({ file: v.string() })),
  starred: v.boolean(),
  note: v.string(),
  deleted: v.optional(amount),
});

/**
 * A stored run. Damaged tests are left out.
 * @throws Failure `bad-file` naming the first part that is wrong
 */
export function asStoredRun(where: string, value: unknown): StoredRun {
  const { config, evaluations, confusion, classes, ...rest } = checked(where, Stored, value);
  const fits = confusion?.length === classes.length ** 2;
  return {
    ...rest,
    classes,
    ...(fits ? { confusion } : {}),
    evaluations: evaluations.map((one) => ({ ...one, testLoss: one.testLoss ?? NaN })),
    config: withStoredSettings<RunConfig>(where, config),
  } as StoredRun;
}
