import type { AugmentationName } from '../../base/augmentation.ts';
import { settingsOf, type Preset } from '../../run/presets.ts';
import { applies, defaultOf } from '../../run/settings/rules.ts';
import {
  SETTING_KEYS,
  settingOf,
  type OptimizerName,
  type RunSettings,
  type SettingKey,
} from '../../run/settings/table.ts';
import { textOf } from '../../run/settings/text.ts';
import type { RunConfig } from '../../worker/api.ts';
import type { Slice } from './slice.ts';

/** Settings that are one text each. */
export type TextKey = Exclude<SettingKey, 'augmentation'>;
export const TEXT_KEYS = SETTING_KEYS.filter((key): key is TextKey => key !== 'augmentation');

/** The settings as typed, each a text until it is read, so that a half-typed "0." is left alone. */
export interface Settings extends Record<TextKey, string> {
  model: string;
  dataset: string;
  /** Where augmentation differs from the data set's own: "0" is none. */
  augmentation: Partial<Record<AugmentationName, string>>;
}

const textsOf = (value: <K extends SettingKey>(key: K) => RunSettings[K]): Record<TextKey, string> =>
  Object.fromEntries(TEXT_KEYS.map((key) => [key, textOf(key, value(key), 'page')])) as Record<
    TextKey,
    string
  >;

/** The defaults with an optimiser. */
export const defaultTexts = (optimizer: OptimizerName): Record<TextKey, string> => ({
  ...textsOf((key) => defaultOf(key, optimizer)),
  optimizer,
});

export const DEFAULT_SETTINGS: Settings = {
  ...defaultTexts('adam'),
  model: 'lenet5',
  dataset: 'digits',
  augmentation: {},
};

/** What another optimiser changes: the settings whose default it has of its own. */
export function withOptimizer(optimizer: OptimizerName): Partial<Settings> {
  const defaults = defaultTexts(optimizer);
  const own = TEXT_KEYS.filter((key) => 'byOptimizer' in settingOf(key));
  return { optimizer, ...Object.fromEntries(own.map((key) => [key, defaults[key]])) };
}

/** What the form shows of a run. A custom model is not among it. */
export function formOf(
  config: RunSettings & Pick<RunConfig, 'dataset'> & { model: RunConfig['model'] },
): Partial<Settings> {
  const { model, dataset, augmentation } = config;
  return {
    ...textsOf((key) => config[key]),
    ...(typeof model === 'string' ? { model } : {}),
    dataset,
    augmentation: Object.fromEntries(
      Object.entries(augmentation).map(([name, value]) => [name, String(value)]),
    ),
  };
}

/** What the form shows of a preset. */
export const formOfPreset = (preset: Preset): Partial<Settings> =>
  formOf({ ...settingsOf(preset), model: preset.model, dataset: preset.dataset });

/** Whether a setting has an effect beside the others as typed. */
export const appliesTo = (settings: Settings, key: SettingKey): boolean =>
  applies(key, {
    optimizer: settings.optimizer as OptimizerName,
    schedule: settings.schedule as RunSettings['schedule'],
    weightDecay: Number(settings.weightDecay),
  });

export interface SettingsSlice {
  settings: Settings;
  change(settings: Partial<Settings>): void;
}

export const settingsSlice: Slice<SettingsSlice> = (set) => ({
  settings: DEFAULT_SETTINGS,
  change: (settings) => set((state) => ({ settings: { ...state.settings, ...settings } })),
});
