import {
  AUGMENTATIONS,
  NO_AUGMENTATION,
  type Augmentation,
  type AugmentationName,
} from '../../base/augmentation.ts';
import { completed, conflicts, trainedOn } from '../../run/settings/rules.ts';
import { settingOf, type RunSettings } from '../../run/settings/table.ts';
import { parseSetting } from '../../run/settings/text.ts';
import type { DatasetEntry, RunConfig } from '../../worker/api.ts';
import { inRange, numberIn, type NumberRule } from '../widgets/number-rule.ts';
import { appliesTo, TEXT_KEYS, type Settings } from './settings.ts';
import { train as texts } from '../messages/en/train.tsx';

export type SettingsErrors = Partial<Record<keyof Settings | AugmentationName, string>>;

/** What settings are read against: the chosen data set, as far as it is known. */
export type ChosenData = Pick<DatasetEntry, 'counts' | 'augmentation' | 'shape'>;

/**
 * Reads the settings. `errors` says in one sentence each what is wrong; `config` is there only without errors.
 *
 * @param data a batch cannot have more images than it, and its own augmentation is the default
 */
export function readSettings(
  settings: Settings,
  data: ChosenData | undefined,
): { config: RunConfig | undefined; errors: SettingsErrors } {
  const errors: SettingsErrors = {};
  const given: Partial<RunSettings> = {};
  for (const key of TEXT_KEYS) {
    if (!appliesTo(settings, key)) continue;
    const text = settings[key].trim();
    if (text === '' && settingOf(key).default === undefined) continue;
    const read = parseSetting(key, text, 'page');
    if (read.ok) Object.assign(given, { [key]: read.value });
    else errors[key] = texts.obstacles.enter(read.expected ?? '');
  }
  if (data && data.counts.train > 0) {
    const { validation = 0, trainImages, batchSize = 0 } = given;
    const most = trainedOn(data.counts.train, { validation });
    if (trainImages !== undefined && trainImages > most)
      errors.trainImages = texts.obstacles.enterWhole(most);
    const images = Math.min(trainImages ?? most, most);
    if (batchSize > images) errors.batchSize = texts.obstacles.enterWhole(images);
  }
  const augmentation = readAugmentation(settings, data, errors);
  const run = completed({ ...given, augmentation });
  for (const { key, expected } of conflicts(run)) errors[key] ??= texts.obstacles.enter(expected);
  const isWrong = Object.keys(errors).length > 0;
  const { model, dataset } = settings;
  return { errors, config: isWrong ? undefined : { ...run, model, dataset } };
}

/** A kind of augmentation as it is set: what was typed, else what the data set says. */
export const augmentationText = (
  name: AugmentationName,
  settings: Settings,
  data: Pick<ChosenData, 'augmentation'> | undefined,
): string => settings.augmentation[name] ?? String(data?.augmentation[name] ?? 0);

/** Which numbers a kind of augmentation takes: pixels, as far as the images have them. */
export function augmentationRule(
  { kind, most }: (typeof AUGMENTATIONS)[number],
  data: Pick<ChosenData, 'shape'> | undefined,
): NumberRule {
  const side = data ? Math.min(...data.shape.slice(-2)) : Infinity;
  return inRange({
    whole: kind !== 'number',
    least: 0,
    most: kind === 'pixels' ? Math.min(most, side - 1) : most,
  });
}

function readAugmentation(
  settings: Settings,
  data: ChosenData | undefined,
  errors: SettingsErrors,
): Augmentation {
  const read = { ...NO_AUGMENTATION };
  for (const augmentation of AUGMENTATIONS) {
    const { name } = augmentation;
    const value = numberIn(augmentationText(name, settings, data));
    const { accepts, expected } = augmentationRule(augmentation, data);
    if (value !== undefined && accepts(value)) read[name] = value;
    else errors[name] = texts.obstacles.enter(expected);
  }
  return read;
}
