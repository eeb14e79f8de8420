/** Settings as text for users, and checks of values from elsewhere. */
import {
  checkAugmentation,
  parseAugmentation,
  showAugmentation,
  type Augmentation,
} from '../../base/augmentation.ts';
import { Failure } from '../../base/result.ts';
import type { Setting } from './kinds.ts';
import { settingOf, type RunSettings, type SettingKey } from './table.ts';

/** The context of a text: the command line writes shares as fractions, the page and links in percent. */
export type Medium = 'page' | 'option';

/** A setting's value, or what is wrong with it. `expected` completes "Enter …". */
export type Read<T> = { ok: true; value: T } | { ok: false; expected?: string; message: string };

const LONGEST_LINE = 300;

const isPercent = (setting: Setting, medium: Medium): boolean => medium === 'page' && 'percent' in setting;

/** The rule for a setting's value: "a whole number from 1 to 65536". */
export function expectedOf(key: SettingKey, medium: Medium = 'option'): string {
  const setting = settingOf(key);
  switch (setting.type) {
    case 'choice':
      return `one of ${Object.keys(setting.choices).join(', ')}`;
    case 'switch':
      return 'yes or no';
    case 'names':
      return 'names, separated by commas';
    case 'line':
      return `one line of at most ${LONGEST_LINE} characters`;
    case 'weights':
      return 'balanced, or a number of at least 0 for each class, separated by commas';
    case 'augmentation':
      return 'an augmentation, such as crop=4,flip';
    case 'bytes':
      return 'bytes, such as 65536, 64K, 64M or 1G';
    case 'number':
    case 'whole': {
      const scale = isPercent(setting, medium) ? 100 : 1;
      const { min, above, max, below } = setting;
      const noun = setting.type === 'whole' ? 'a whole number' : 'a number';
      if (min !== undefined && max !== undefined) return `${noun} from ${scale * min} to ${scale * max}`;
      const bounds = [
        ...(min === undefined ? [] : [`of at least ${scale * min}`]),
        ...(above === undefined ? [] : [`greater than ${scale * above}`]),
        ...(max === undefined ? [] : [`at most ${scale * max}`]),
        ...(below === undefined ? [] : [`less than ${scale * below}`]),
      ];
      return `${noun} ${bounds.join(' and ')}`;
    }
  }
}

/** Whether a value is valid for the setting. Absent values are valid if it has no default. */
export function accepts(key: SettingKey, value: unknown): boolean {
  const setting = settingOf(key);
  if (value === undefined) return setting.default === undefined;
  switch (setting.type) {
    case 'choice':
      return typeof value === 'string' && Object.hasOwn(setting.choices, value);
    case 'switch':
      return typeof value === 'boolean';
    case 'names':
      return Array.isArray(value) && value.every((one) => typeof one === 'string' && /^[^\s,]+$/.test(one));
    case 'line':
      // oxlint-disable-next-line no-control-regex -- those are what it refuses
      return typeof value === 'string' && value.length <= LONGEST_LINE && /^[^\u0000-\u001f]+$/.test(value);
    case 'weights':
      return value === 'balanced' || (Array.isArray(value) && value.every(isAmount) && value.some(Boolean));
    case 'augmentation':
      return typeof value === 'object' && value !== null && isAugmentation(value);
    case 'number':
    case 'whole':
    case 'bytes': {
      const { min = -Infinity, above = -Infinity, max = Infinity, below = Infinity } = setting;
      const fits =
        typeof value === 'number' && value >= min && value > above && value <= max && value < below;
      return fits && (setting.type === 'number' ? Number.isFinite(value) : Number.isSafeInteger(value));
    }
  }
}

const isAmount = (value: unknown): boolean =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

function isAugmentation(value: object): boolean {
  try {
    checkAugmentation(value as Augmentation);
    return Object.values(value).every((one) => typeof one === 'number');
  } catch {
    return false;
  }
}

/** Reads a typed or given text; the word for an absent value, such as "none", gives undefined. */
export function parseSetting<K extends SettingKey>(
  key: K,
  given: string,
  medium: Medium,
): Read<RunSettings[K]> {
  const text = given.trim();
  const setting = settingOf(key);
  if (setting.type === 'augmentation' && text !== 'none') return parseAugmentationText(text) as Read<never>;
  if ('empty' in setting && text === setting.empty) return { ok: true, value: undefined as RunSettings[K] };
  const value = valueOf(setting, text, medium);
  if (value !== undefined && accepts(key, value)) return { ok: true, value: value as RunSettings[K] };
  const expected = expectedOf(key, medium);
  return { ok: false, expected, message: `expected ${expected}, found "${given.slice(0, 40)}"` };
}

const UNITS: Readonly<Record<string, number>> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

function valueOf(setting: Setting, text: string, medium: Medium): unknown {
  switch (setting.type) {
    case 'choice':
      return setting.aliases?.[text] ?? text;
    case 'line':
      return text;
    case 'switch':
      return text === 'yes' ? true : text === 'no' ? false : undefined;
    case 'names':
      return text === '' ? [] : text.split(',').map((one) => one.trim());
    case 'weights':
      return text === 'balanced' ? text : text.split(',').map((one) => numberOf(one.trim()) ?? NaN);
    case 'augmentation':
      return setting.default;
    case 'bytes': {
      const [, digits, unit] = /^(\d+)([KMG]?)$/.exec(text) ?? [];
      return digits === undefined ? undefined : Number(digits) * UNITS[unit];
    }
    case 'number':
    case 'whole': {
      const number = numberOf(text);
      return number !== undefined && isPercent(setting, medium) ? number / 100 : number;
    }
  }
}

/** Number() alone would accept "" and "0x10". */
const numberOf = (text: string): number | undefined =>
  /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;

function parseAugmentationText(text: string): Read<Augmentation> {
  try {
    return { ok: true, value: parseAugmentation(text) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ok: false, message: error.message };
  }
}

/** A value as `parseSetting` reads it; empty for an absent one. */
export function textOf<K extends SettingKey>(key: K, value: RunSettings[K], medium: Medium): string {
  const setting = settingOf(key);
  if (value === undefined) return '';
  if (setting.type === 'switch') return value ? 'yes' : 'no';
  if (setting.type === 'augmentation') return showAugmentation(value as Augmentation);
  // 100 times a share may have a digit too many.
  if (isPercent(setting, medium)) return String(Number((100 * (value as number)).toPrecision(12)));
  return String(value);
}

/** A setting's title; in the worker's build, which has no titles, its key. */
export const titleOf = (key: SettingKey): string => settingOf(key).title ?? key;

/** A setting's title within a sentence: "learning rate". */
export const inSentence = (key: SettingKey): string => {
  const { title } = settingOf(key);
  return title.startsWith('Nesterov') ? title : title[0].toLowerCase() + title.slice(1);
};

/**
 * @param nameOf the setting's name in messages
 * @throws Failure `bad-input` naming the first invalid value
 */
export function requireSettings(
  values: Partial<RunSettings>,
  nameOf: (key: SettingKey) => string = titleOf,
): void {
  for (const key of Object.keys(values) as SettingKey[]) {
    if (accepts(key, values[key])) continue;
    throw new Failure(
      'bad-input',
      `${nameOf(key)}: expected ${expectedOf(key)}, found ${JSON.stringify(values[key])}`,
    );
  }
}
