/** The words of a run's card. */
import { settingLines } from '../../screens/runs/differences.ts';
import * as format from '../../format.ts';
import { bestAccuracy, type RunRecord } from '../../journal/record.ts';
import { share } from '../../messages/en/share.tsx';
import { isLocal } from '../address.ts';

const texts = share.picture;

/** The settings that say most. */
const SHOWN = ['optimiser', 'lr', 'batch', 'augment', 'schedule', 'seed'];
const SILENT = ['–', 'none', 'Constant'];

export interface CardWords {
  title: string;
  about: string;
  /** The accuracy of the last test, and what it is of; undefined before the first one. */
  accuracy: { value: string; label: string } | undefined;
  figures: readonly (readonly [value: string, label: string])[];
  settings: string;
  /** Undefined where nobody else could open it. */
  address: string | undefined;
}

/** @param address the link that restores the settings */
export function wordsOf(record: RunRecord, address: string): CardWords {
  const { name, model, dataset, adapter, step, epoch, trainedMs, confusion, evaluations } = record;
  const last = evaluations.at(-1);
  const best = bestAccuracy(record);
  const images = confusion?.reduce((sum, one) => sum + one, 0);
  const isBest = last === undefined || best === undefined || best <= last.testAccuracy;
  return {
    title: texts.title(model, dataset),
    about: [name, adapter].filter(Boolean).join(' · '),
    accuracy: last && {
      value: format.accuracy(last.testAccuracy, images),
      label: texts.accuracy(images, last.epoch, isBest ? undefined : format.accuracy(best, images)),
    },
    figures: [
      [format.time(trainedMs), texts.time],
      [format.count(step), texts.steps(step, epoch)],
    ],
    settings: settingLines(record)
      .filter(({ short, value }) => SHOWN.includes(short) && !SILENT.includes(value))
      .map(({ title, value }) => `${title.toLowerCase()} ${value}`)
      .join(' · '),
    address: isLocal(address) ? undefined : address,
  };
}
