/** Reads settings from files and the browser's storage. */
import * as v from 'valibot';
import { NO_AUGMENTATION } from '../../base/augmentation.ts';
import { Failure } from '../../base/result.ts';
import { completed } from './rules.ts';
import { SETTING_KEYS, type RunSettings, type SettingKey } from './table.ts';
import { accepts, expectedOf } from './text.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Kinds of augmentation that were added after the settings were stored are off. */
const withAllAugmentations = (stored: Fields): Fields =>
  isFields(stored['augmentation'])
    ? { ...stored, augmentation: { ...NO_AUGMENTATION, ...stored['augmentation'] } }
    : stored;

/**
 * The settings among the fields of an object, checked; absent ones get their defaults.
 * @param where for messages: "config.json"
 * @throws Failure `bad-file` naming the first invalid one
 */
export function storedSettings(where: string, stored: unknown): RunSettings {
  if (!isFields(stored))
    throw new Failure('bad-file', `${where}: expected an object of settings, found ${typeof stored}`);
  const flat = withAllAugmentations(stored);
  const given = SETTING_KEYS.filter((key) => Object.hasOwn(flat, key) && flat[key] !== undefined);
  for (const key of given) {
    if (accepts(key, flat[key])) continue;
    const found = String(JSON.stringify(flat[key])).slice(0, 60);
    throw new Failure('bad-file', `${where}: expected ${key} to be ${expectedOf(key)}, found ${found}`);
  }
  return completed(Object.fromEntries(given.map((key) => [key, flat[key]])));
}

/** A change of some of these settings at a step: null turns one off that can be. */
export const storedAdjustment = (keys: readonly SettingKey[]) =>
  v.strictObject({
    step: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
    ...Object.fromEntries(
      keys.map((key) => [
        key,
        v.optional(v.custom<never>((value) => accepts(key, value ?? undefined), expectedOf(key))),
      ]),
    ),
  });

/**
 * An object with a run's settings among its fields, checked; other fields do not change.
 * @throws Failure `bad-file`
 */
export const withStoredSettings = <T extends RunSettings>(where: string, stored: unknown): T =>
  ({ ...(stored as object), ...storedSettings(where, stored) }) as T;
