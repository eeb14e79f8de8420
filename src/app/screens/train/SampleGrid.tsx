import { isAugmented } from '../../../base/augmentation.ts';
import type { DatasetEntry } from '../../../worker/api.ts';
import { chosenDataset } from '../../actions/start.ts';
import { later } from '../../components/later.tsx';
import { readSettings } from '../../state/read-settings.ts';
import { useApp } from '../../state/store.ts';
import { ImageGrid } from './ImageGrid.tsx';
import { data as texts } from '../../messages/en/data.tsx';
import styles from './Data.module.css';

const AugmentedSamples = later(
  'Augmented images',
  async () => (await import('./AugmentedSamples.tsx')).AugmentedSamples,
);

/** The first images of the data set: grey ones as ink on paper. */
export function SampleGrid({ dataset }: { dataset: DatasetEntry }) {
  const { name } = dataset;
  const samples = useApp((state) => state.samples[name]);
  const settings = useApp((state) => state.settings);
  const { config } = readSettings(settings, useApp(chosenDataset));
  if (dataset.status.state === 'failed' || (dataset.own && dataset.status.state === 'absent')) return null;
  if (!samples) {
    return (
      <div className={`vacant ${styles.noSamples}`}>
        <p>{dataset.status.state === 'ready' ? texts.drawer.loadingImages : texts.drawer.noImages}</p>
      </div>
    );
  }
  const shown = <ImageGrid samples={samples} classes={dataset.classes} />;
  if (!config?.augmentation || !isAugmented(config.augmentation)) return shown;
  const { augmentation, seed } = config;
  return (
    <AugmentedSamples
      name={name}
      samples={samples}
      classes={dataset.classes}
      augmentation={augmentation}
      seed={seed}
      meanwhile={shown}
    />
  );
}
