/** Which images a run trains on. Few runs select any: the page starts without the code. */
import { lazily } from '../base/lazily.ts';
import { titleOf } from '../run/settings/text.ts';
import type { SettingKey } from '../run/settings/table.ts';
import type { Dataset } from './dataset.ts';
import type { SelectionSettings } from './selection.ts';

const selecting = lazily(() => import('./selection.ts'));

/**
 * The data set as a run with these settings sees it; see selection.ts.
 * @param dataset as it is, or as such a run sees it
 * @param nameOf a setting's name in messages
 * @throws Failure `bad-input` if it has too few images or classes
 */
export async function selectImages(
  dataset: Dataset,
  settings: SelectionSettings,
  nameOf: (key: SettingKey) => string = titleOf,
): Promise<Dataset> {
  const { validation, trainImages, wrongLabels } = settings;
  if (validation === 0 && trainImages === undefined && wrongLabels === 0) return dataset;
  return (await selecting()).selected(dataset, settings, nameOf);
}
