import type { AugmentationName } from '../../base/augmentation.ts';
import { presets, settingsOf, type Preset } from '../../run/presets.ts';
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
import { trainImagesOf } from './data.ts';
import { saveSettings, savedSettings } from './saved-settings.ts';
import type { Slice } from './slice.ts';
import type { AppState } from './store.ts';

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

/** Epochs of a data set that no preset uses. */
const EPOCHS = 20;

/** How many epochs a run on a data set usually takes: as many as in its first preset. */
export const usualEpochs = (dataset: string): number =>
  presets.all().find((preset) => preset.dataset === dataset)?.settings.epochs ?? EPOCHS;

/** What a page starts with that nobody has used yet: its run has an end. */
export const START_SETTINGS: Settings = {
  ...DEFAULT_SETTINGS,
  epochs: String(usualEpochs(DEFAULT_SETTINGS.dataset)),
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

/** The default batch size for so many training images: an epoch has at least four steps. */
const fittingBatch = (images: number): number =>
  Math.min(Number(DEFAULT_SETTINGS.batchSize), 2 ** Math.max(0, Math.floor(Math.log2(images / 4))));

/** The batch size for other data, before which there were none or so many training images: one that was a default becomes the new default, and one that is too large fits. */
export function batchFor(batchSize: string, before: number, images: number): string {
  const isDefault = Number(batchSize) === fittingBatch(before || Infinity);
  return images > 0 && (isDefault || Number(batchSize) > images) ? String(fittingBatch(images)) : batchSize;
}

/** What another data set changes. */
function withDataset({ settings }: AppState, name: string): Partial<Settings> {
  const isUsual = settings.epochs === String(usualEpochs(settings.dataset));
  const epochs = isUsual ? String(usualEpochs(name)) : settings.epochs;
  return { dataset: name, augmentation: {}, epochs };
}

/** On how many images a run trains, as far as that is known and typed. */
const imagesOf = (state: AppState, { dataset, validation, trainImages }: Settings): number =>
  trainImagesOf(state, {
    dataset,
    validation: Number(validation) / 100 || 0,
    trainImages: Number(trainImages) || undefined,
  }) ?? Infinity;

/** The batch size that other settings, of more or fewer training images, change. */
function batchOf(state: AppState, settings: Settings): string {
  const [before, images] = [state.settings, settings].map((one) => imagesOf(state, one));
  return before === images ? settings.batchSize : batchFor(settings.batchSize, before, images);
}

/** What another model changes: weights of the one before do not fit it. */
const withModel = ({ settings }: AppState, model: string): Partial<Settings> =>
  model === settings.model || settings.initialWeights === '' ? {} : { initialWeights: '', freeze: '' };

/** A link whose settings were taken without a question. */
export interface TakenLink {
  lines: { title: string; value: string }[];
  before: Pick<AppState, 'settings' | 'ownModel'>;
}

export interface SettingsSlice {
  /** Saved for the next visit. */
  settings: Settings;
  change(settings: Partial<Settings>): void;
  /** What is wrong with what is typed into a field, by its setting or augmentation. The setting keeps its value. */
  wrong: Readonly<Record<string, string>>;
  mark(name: string, error: string | undefined): void;
  /** The field that a person is led to: it takes the focus when it is shown. */
  sought: { name: string } | undefined;
  /** Until it is dismissed, or a run starts. */
  takenLink: TakenLink | undefined;
}

export const settingsSlice: Slice<SettingsSlice> = (set, get) => ({
  settings: savedSettings(START_SETTINGS),
  change: (changes) => {
    const state = get();
    const { dataset = state.settings.dataset, model = state.settings.model } = changes;
    const implied = dataset === state.settings.dataset ? {} : withDataset(state, dataset);
    const changed = { ...state.settings, ...implied, ...withModel(state, model), ...changes };
    const settings = { ...changed, batchSize: changes.batchSize ?? batchOf(state, changed) };
    saveSettings(settings);
    set({ settings });
  },
  wrong: {},
  mark: (name, error) =>
    set((state) => {
      const { [name]: before, ...others } = state.wrong;
      if (before === error) return state;
      return { wrong: error === undefined ? others : { ...others, [name]: error } };
    }),
  sought: undefined,
  takenLink: undefined,
});
