/** Settings out of files and the browser's storage, also of version 0.1. */
import { NO_AUGMENTATION } from '../../base/augmentation.ts';
import { Failure } from '../../base/result.ts';
import { completed } from './rules.ts';
import { SETTING_KEYS, type RunSettings } from './table.ts';
import { accepts, expectedOf } from './text.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

/**
 * Version 0.1 kept some settings in groups: the page an optimiser with its numbers, a schedule and rules for stopping;
 * checkpoints the optimiser's numbers apart from its name. Brings them to one level; what has it already stays as it is.
 */
export function flattened(stored: Fields): Fields {
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
    augmentation: { ...NO_AUGMENTATION, ...fieldsOf(rest['augmentation']) },
    ...(isFields(rest['mixed']) ? { precision: 'mixed' } : {}),
    ...(isFields(rest['learningRate']) ? scheduleOf(rest['learningRate']) : {}),
  };
  return Object.fromEntries(Object.entries(flat).filter(([, value]) => value !== undefined));
}

/** What a checkpoint of version 0.1 says of the schedule in settings; the steps in `learningRate` are what counts. */
const scheduleOf = ({ schedule, gamma, minLr }: Fields): Fields => ({ schedule, gamma, minLr });

/**
 * The settings among the fields of an object, each checked; those that are absent have their defaults.
 * @param where for messages: "config.json"
 * @throws Failure `bad-file` naming the first that is wrong
 */
export function storedSettings(where: string, stored: unknown): RunSettings {
  if (!isFields(stored))
    throw new Failure('bad-file', `${where}: expected an object of settings, found ${typeof stored}`);
  const flat = flattened(stored);
  const given = SETTING_KEYS.filter((key) => Object.hasOwn(flat, key) && flat[key] !== undefined);
  for (const key of given) {
    if (accepts(key, flat[key])) continue;
    const found = String(JSON.stringify(flat[key])).slice(0, 60);
    throw new Failure('bad-file', `${where}: expected ${key} to be ${expectedOf(key)}, found ${found}`);
  }
  return completed(Object.fromEntries(given.map((key) => [key, flat[key]])));
}

/**
 * An object that has a run's settings among its fields, with them checked and on one level; all else stays as it is.
 * @throws Failure `bad-file`
 */
export const withStoredSettings = <T extends RunSettings>(where: string, stored: unknown): T =>
  ({ ...fieldsOf(isFields(stored) && flattened(stored)), ...storedSettings(where, stored) }) as T;
