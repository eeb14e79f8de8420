/** A run's settings as options of the command line, derived from the table in src/run/settings. */
import { AUGMENTATIONS, isAugmented, NO_AUGMENTATION, type Augmentation } from '../base/augmentation.ts';
import { Failure } from '../base/result.ts';
import { presets, type Preset } from '../run/presets.ts';
import { agree, applies, completed, defaultOf } from '../run/settings/rules.ts';
import type { Group, Setting } from '../run/settings/kinds.ts';
import { differencesOf } from '../run/settings/differences.ts';
import { HINTS } from '../run/settings/hints.ts';
import { SETTING_KEYS, settingOf, type RunSettings, type SettingKey } from '../run/settings/table.ts';
import { parseSetting, textOf } from '../run/settings/text.ts';
import { flag, optional, text, type Option, type Options } from './arguments.ts';

const NO_AUGMENT = 'no-augment';

/** A setting's option, without dashes: "weight-decay". */
const optionOf = (key: SettingKey): string =>
  settingOf(key).option ?? key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** A setting's name in messages. */
export const optionName = (key: SettingKey): string => `--${optionOf(key)}`;

/** The options of all settings, or of those of some groups. Their values are undefined unless given. */
export function settingOptions(groups?: readonly Group[]): Options {
  const keys = SETTING_KEYS.filter((key) => groups?.includes(settingOf(key).group) ?? true);
  return Object.fromEntries(
    keys.flatMap((key): [string, Option<unknown>][] => {
      const setting = settingOf(key);
      const own: [string, Option<unknown>] = [optionOf(key), settingOption(key)];
      return setting.type === 'augmentation' ? [own, [NO_AUGMENT, flag('Turn augmentation off.')]] : [own];
    }),
  );
}

/** The option of one setting. Its value is undefined unless it is given. */
export function settingOption<K extends SettingKey>(key: K): Option<RunSettings[K] | undefined> {
  const setting = settingOf(key);
  const summary = summaryOf(key, setting);
  const fallback = { value: undefined };
  if (setting.type === 'switch') return { summary, fallback, read: () => !setting.default as RunSettings[K] };
  return {
    ...(setting.type === 'line' && { reads: weightsFiles }),
    placeholder: placeholderOf(setting),
    summary,
    fallback,
    read(texts, name) {
      const read = parseSetting(key, texts[texts.length - 1], 'option');
      if (!read.ok) throw new Failure('bad-input', `${name}: ${read.message}`);
      return read.value;
    },
  };
}

/** Weights by the name of a network, or in a file. */
const weightsFiles: Option<unknown>['reads'] = (path) => [{ path: path as string, kind: 'weights' }];

function placeholderOf(setting: Setting): string {
  switch (setting.type) {
    case 'choice':
      return Object.keys(setting.choices).join('|');
    case 'augmentation':
      return AUGMENTATIONS.map(({ name, kind, usual }) =>
        kind === 'switch' ? name : `${name}=${usual}`,
      ).join();
    case 'bytes':
      return 'BYTES';
    case 'names':
      return `${setting.placeholder ?? 'NAME'},...`;
    case 'line':
      return 'NAME|FILE.safetensors';
    case 'weights':
      return 'balanced|X,...';
    case 'whole':
      return 'N';
    default:
      return 'X';
  }
}

/** The hint, with what the page shows in other ways: where the setting applies, its choices, its default. */
function summaryOf(key: SettingKey, setting: Setting): string {
  if (setting.type === 'switch' && setting.optionHint !== undefined) return setting.optionHint;
  const { for: only } = setting;
  const about = 'about' in setting ? Object.entries(setting.about ?? {}) : [];
  const notes = [
    ...about.map(([name, what]) => `${name} ${what}`),
    ...(only?.optimizer ? [`for ${only.optimizer.join(', ')}`] : []),
    ...(only?.schedule ? [`for schedule ${only.schedule.join(', ')}`] : []),
    ...('percent' in setting ? ['0 to 1'] : []),
    ...(setting.type === 'switch' ? [] : [`default ${defaultText(key, setting)}`]),
    ...(differencesOf(key) === '' ? [] : ['differs from PyTorch: docs/pytorch.md']),
  ];
  return notes.length === 0 ? HINTS[key] : `${HINTS[key]} (${notes.join('; ')})`;
}

function defaultText(key: SettingKey, setting: Setting): string {
  if (setting.type === 'augmentation') return 'per data set';
  if ('empty' in setting) return setting.empty;
  const own = 'byOptimizer' in setting ? Object.entries(setting.byOptimizer ?? {}) : [];
  const usual = textOf(key, setting.default as RunSettings[typeof key], 'option');
  return [usual || 'none', ...own.map(([optimizer, value]) => `for ${optimizer} ${value}`)].join(', ');
}

/**
 * The settings that were given.
 * @throws Failure `bad-input` if two options contradict each other
 */
export function givenSettings(options: Readonly<Record<string, unknown>>): Partial<RunSettings> {
  const option = optionOf('augmentation');
  if (options[NO_AUGMENT] && options[option]) {
    throw new Failure('bad-input', `give either --${option} or --${NO_AUGMENT}`);
  }
  const values = SETTING_KEYS.map((key) => [key, options[optionOf(key)]] as const);
  return Object.fromEntries([
    ...values.filter(([, value]) => value !== undefined),
    ...(options[NO_AUGMENT] ? [['augmentation', NO_AUGMENTATION]] : []),
  ]) as Partial<RunSettings>;
}

/**
 * All settings of a run: the given ones, and defaults for the others.
 * @param augmentation the data set's default
 * @throws Failure `bad-input` naming options that have no effect
 */
export function readSettings(
  options: Readonly<Record<string, unknown>>,
  augmentation: Augmentation = NO_AUGMENTATION,
): RunSettings {
  const given = givenSettings(options);
  const settings = completed({ augmentation, ...given });
  for (const key of Object.keys(given) as SettingKey[]) {
    const isDefault =
      textOf(key, given[key], 'option') === textOf(key, defaultOf(key, settings.optimizer), 'option');
    if (!isDefault && !applies(key, settings)) throw idle(key, settings);
  }
  return settings;
}

function idle(key: SettingKey, settings: RunSettings): Failure {
  const { for: only = {}, needs } = settingOf(key);
  for (const head of ['optimizer', 'schedule'] as const) {
    const names = only[head];
    if (!names || names.includes(settings[head])) continue;
    const choices = [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' or ');
    const expected = `${optionName(head)} ${choices}`;
    return new Failure('bad-input', `${optionName(key)} requires ${expected}, found ${settings[head]}`);
  }
  return new Failure(
    'bad-input',
    `${optionName(key)} requires ${optionName(needs as SettingKey)} greater than 0`,
  );
}

/** The setting that an option sets; undefined for other options. */
export const keyOf = (option: string): SettingKey | undefined =>
  option === NO_AUGMENT ? 'augmentation' : SETTING_KEYS.find((key) => optionOf(key) === option);

/** A given setting that differs from `had`. */
export function contradiction(
  options: Readonly<Record<string, unknown>>,
  key: SettingKey,
  had: RunSettings,
): string | undefined {
  const given = { ...had, [key]: givenSettings(options)[key] };
  if (agree(key, had, given)) return undefined;
  const [before, now] = [had, given].map((one) => textOf(key, one[key], 'option') || 'none');
  return `${optionName(key)}: the run to resume has ${before}, not ${now}`;
}

export const presetOption = optional(
  text('NAME', `preset options: ${presets.names().join(', ')}; explicit options override it`),
);

/**
 * The words of a command line with the options of its preset inserted before them, except those that given options
 * override: an optimiser or a schedule has its own settings, and a run has epochs or steps.
 * @throws Failure `not-found` for an unknown preset, `bad-input` together with --resume
 */
export function withPreset(words: readonly string[]): readonly string[] {
  const isGiven = (option: string) =>
    words.some((word) => word === `--${option}` || word.startsWith(`--${option}=`));
  const name = lastValue(words, 'preset');
  if (name === undefined) return words;
  if (isGiven('resume')) throw new Failure('bad-input', '--preset cannot be combined with --resume');
  const preset = presets.get(name);
  const givenKeys = SETTING_KEYS.filter((key) => isGiven(optionOf(key)));
  if (isGiven(NO_AUGMENT)) givenKeys.push('augmentation');
  const overridden = (key: SettingKey) =>
    givenKeys.some(
      (given) =>
        given === key ||
        (['optimizer', 'schedule'].includes(given) && settingOf(key).group === given) ||
        (given === 'steps' && key === 'epochs'),
    );
  const all = { augmentation: NO_AUGMENTATION, ...preset.settings };
  return [
    ...(['model', 'dataset'] as const).flatMap((option) =>
      isGiven(option) ? [] : [`--${option}`, preset[option]],
    ),
    ...SETTING_KEYS.filter((key) => !overridden(key)).flatMap((key) => wordsOf(key, all)),
    ...words,
  ];
}

function wordsOf(key: SettingKey, settings: Preset['settings']): string[] {
  const value = settings[key];
  const setting = settingOf(key);
  if (value === undefined) return [];
  if (setting.type === 'switch') return value === setting.default ? [] : [optionName(key)];
  if (setting.type === 'augmentation' && !isAugmented(value as Augmentation)) return [`--${NO_AUGMENT}`];
  return [optionName(key), textOf(key, value, 'option')];
}

function lastValue(words: readonly string[], option: string): string | undefined {
  const place = words.findLastIndex((word) => word === `--${option}` || word.startsWith(`--${option}=`));
  if (place < 0) return undefined;
  const [, value] = /=(.*)$/s.exec(words[place]) ?? [];
  return value ?? words[place + 1];
}
