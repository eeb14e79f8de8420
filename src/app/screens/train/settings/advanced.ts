/** The settings that are not in view, and which of them differ from their defaults. */
import { AUGMENTATIONS } from '../../../../base/augmentation.ts';
import { settingOf, shortOf, type OptimizerName } from '../../../../run/settings/table.ts';
import { augmentationText, type ChosenData } from '../../../state/read-settings.ts';
import {
  appliesTo,
  defaultTexts,
  TEXT_KEYS,
  usualEpochs,
  type Settings,
  type TextKey,
} from '../../../state/settings.ts';

/** Those that have a place of their own beside the curves. */
const IN_VIEW: readonly TextKey[] = ['lr', 'batchSize', 'optimizer', 'initialWeights'];

/** Whether a setting or an augmentation is out of view. */
export const isAdvanced = (name: string): boolean => !IN_VIEW.some((key) => key === name);

/** The settings out of view that have an effect beside the others. */
export const advancedKeys = (settings: Settings): TextKey[] =>
  TEXT_KEYS.filter((key) => isAdvanced(key) && !settingOf(key).hidden && appliesTo(settings, key));

/** What differs from the defaults, in few words. */
export function changedFrom(
  settings: Settings,
  data: Pick<ChosenData, 'augmentation'> | undefined,
): string[] {
  const defaults = {
    ...defaultTexts(settings.optimizer as OptimizerName),
    epochs: String(usualEpochs(settings.dataset)),
  };
  return [
    ...AUGMENTATIONS.filter(({ name }) => Number(augmentationText(name, settings, data)) !== 0).map(
      ({ title }) => title.toLowerCase(),
    ),
    ...advancedKeys(settings)
      .filter((key) => settings[key] !== defaults[key])
      .map((key) => (settingOf(key).type === 'choice' ? settings[key] : shortOf(key))),
  ];
}

/** Whether a setting is found by these words: all of them are in its title or its hint. */
export function isFound(query: string, title: string, hint: string): boolean {
  const text = `${title} ${hint}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
