import { chosenDataset } from '../../actions/start.ts';
import { later } from '../../components/later.tsx';
import { Panel } from '../../components/Panel.tsx';
import * as format from '../../format.ts';
import { runIsOpen } from '../../state/run.ts';
import { useApp } from '../../state/store.ts';
import type { DatasetEntry } from '../../../worker/api.ts';
import { SampleGrid } from './SampleGrid.tsx';
import styles from './Train.module.css';

const ObtainDataset = later(
  'Download and import',
  async () => (await import('./ObtainDataset.tsx')).ObtainDataset,
);
const OwnImages = later('Image import', async () => (await import('./OwnImages.tsx')).OwnImages);

/** Sets that come with the page are fetched when it opens. */
const isObtained = ({ shipped, status }: DatasetEntry): boolean =>
  status.state === 'ready' || (shipped && status.state !== 'failed');

/** The choice of a data set, with sample images, and how to obtain one that is not there. */
export function DataPanel() {
  const datasets = useApp((state) => state.datasets);
  const chosen = useApp(chosenDataset);
  const locked = useApp((state) => runIsOpen(state.runState));
  const change = useApp((state) => state.change);
  return (
    <Panel title="Data" explanation="Labelled images to train and test on.">
      <fieldset className={styles.sets}>
        <legend className="unseen">Data set</legend>
        {datasets.length === 0 && <p className="faint">Loading data sets…</p>}
        {datasets.map((dataset) => (
          <label key={dataset.name} className="pick">
            <input
              type="radio"
              name="dataset"
              checked={dataset === chosen}
              onChange={() => change({ dataset: dataset.name, augmentation: {} })}
            />
            <b>{dataset.title}</b>
            <span className="soft">{statusOf(dataset)}</span>
          </label>
        ))}
      </fieldset>
      {!chosen && <div className={`vacant ${styles.noSamples}`} />}
      {chosen && (
        <>
          <SampleGrid dataset={chosen} />
          {chosen.status.state === 'ready' && chosen.status.notSaved && (
            <p className={`soft ${styles.notSaved}`}>
              Ready, but not saved for your next visit: {chosen.status.notSaved.message}
            </p>
          )}
          {chosen.own ? (
            <OwnImages dataset={chosen} locked={locked} />
          ) : (
            isObtained(chosen) || <ObtainDataset key={chosen.name} dataset={chosen} />
          )}
          <p className="faint">
            {chosen.description} {format.count(chosen.counts.train)} training and{' '}
            {format.count(chosen.counts.test)} test images,{' '}
            <span className={styles.size}>{format.shape(chosen.shape)}</span>.
          </p>
          <p className="faint">Licence: {chosen.licence}</p>
        </>
      )}
    </Panel>
  );
}

function statusOf(dataset: DatasetEntry): string {
  switch (dataset.status.state) {
    case 'ready':
      return 'ready';
    case 'absent':
      if (dataset.own) return 'folder or zip';
      return dataset.shipped ? 'built in' : format.bytes(dataset.bytes);
    case 'reading':
      return 'loading';
    case 'downloading':
      return 'downloading';
    case 'failed':
      return 'failed';
  }
}
