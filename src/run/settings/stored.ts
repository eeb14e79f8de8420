/** Reads settings from files and the browser's storage, also those of version 0.1. */
import * as v from 'valibot';
import { NO_AUGMENTATION } from '../../base/augmentation.ts';
import { Failure } from '../../base/result.ts';
import { completed } from './rules.ts';
import { SETTING_KEYS, type RunSettings, type SettingKey } from './table.ts';
import { accepts, expectedOf } from './text.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

/**
 * Version 0.1 stored some settings in groups: in the page, the optimiser with its numbers, the schedule, and early
 * stopping; in checkpoints, the optimiser's numbers separately from its name. Moves them to one level; settings that
 * are there already do not change.
 */
function flattened(stored: Fields): Fields {
  const { optimizer, settings, schedule, stops, ...rest } = stored;
  if (!isFields(optimizer) && !isFields(settings)) return stored;
  const { name: optimizerName, ...rates } = isFields(optimizer) ? optimizer : { name: optimizer };
  const { name: scheduleName, warmupEpochs } = fieldsOf(schedule);
  const { accuracy: stopAccuracy, patience } = fieldsOf(stops);
  const { betas: _, ...numbers } = fieldsOf(settings);
  const flat: Fields = {
    ...rest,
    ...rates,
    ...numbers,
    optimizer: optimizerName,
    schedule: scheduleName,
    warmupEpochs,
    stopAccuracy,
    patience,
    ...(isFields(rest['mixed']) ? { precision: 'mixed' } : {}),
    ...(isFields(rest['learningRate']) ? scheduleOf(rest['learningRate']) : {}),
  };
  return Object.fromEntries(Object.entries(flat).filter(([, value]) => value !== undefined));
}

/** The settings of the schedule in a checkpoint of version 0.1; the steps in `learningRate` take precedence. */
const scheduleOf = ({ schedule, gamma, minLr }: Fields): Fields => ({ schedule, gamma, minLr });

/** Kinds of augmentation that were added after the settings were stored are off. */
const withAllAugmentations = (stored: Fields): Fields =>
  isFields(stored['augmentation'])
    ? { ...stored, augmentation: { ...NO_AUGMENTATION, ...stored['augmentation'] } }
    : stored;

/** One algorithm for all convolutions was a pin without a layer. */
function withAlgorithm(stored: Fields): Fields {
  const pins: unknown[] = Array.isArray(stored['pins']) ? stored['pins'] : [];
  const general = pins.find((pin) => isFields(pin) && pin['layer'] === undefined);
  const algorithm = fieldsOf(general)['algorithm'];
  return accepts('convAlgorithm', algorithm) ? { convAlgorithm: algorithm, ...stored } : stored;
}

/** The settings on one level, as this version stores them. */
const current = (stored: Fields): Fields => flattened(withAllAugmentations(withAlgorithm(stored)));

/**
 * The settings among the fields of an object, checked; absent ones get their defaults.
 * @param where for messages: "config.json"
 * @throws Failure `bad-file` naming the first invalid one
 */
export function storedSettings(where: string, stored: unknown): RunSettings {
  if (!isFields(stored))
    throw new Failure('bad-file', `${where}: expected an object of settings, found ${typeof stored}`);
  const flat = current(stored);
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
 * An object with a run's settings among its fields, checked and on one level; other fields do not change.
 * @throws Failure `bad-file`
 */
export const withStoredSettings = <T extends RunSettings>(where: string, stored: unknown): T =>
  ({ ...fieldsOf(isFields(stored) && current(stored)), ...storedSettings(where, stored) }) as T;
