import { lazy } from 'react';
import { chosenDataset } from '../../../actions/start.ts';
import { Later } from '../../../components/Later.tsx';
import { Panel } from '../../../components/Panel.tsx';
import * as format from '../../../format.ts';
import { runIsOpen } from '../../../state/run.ts';
import { useApp } from '../../../state/store.ts';
import type { DatasetEntry } from '../../../../worker/api.ts';
import styles from './DataPanel.module.css';
import { Obtain } from './Obtain.tsx';
import { SampleGrid } from './SampleGrid.tsx';

const OwnImages = lazy(async () => ({ default: (await import('./OwnImages.tsx')).OwnImages }));

/** Which images to learn from, and a look at them. */
export function DataPanel() {
  const datasets = useApp((state) => state.datasets);
  const chosen = useApp(chosenDataset);
  const locked = useApp((state) => runIsOpen(state.runState));
  const change = useApp((state) => state.change);
  return (
    <Panel title="Data" explanation="What the network learns from: images, each with its right answer.">
      <fieldset className={styles.sets}>
        <legend className="unseen">Data set</legend>
        {datasets.length === 0 && <p className={styles.waiting}>Looking up the data sets…</p>}
        {datasets.map((dataset) => (
          <label key={dataset.name} className={styles.set}>
            <input
              type="radio"
              name="dataset"
              checked={dataset === chosen}
              onChange={() => change({ dataset: dataset.name, augmentation: {} })}
            />
            <span className={styles.title}>{dataset.title}</span>
            <span className={styles.status}>{statusWords(dataset)}</span>
          </label>
        ))}
      </fieldset>
      {!chosen && <div className={styles.noSamples} />}
      {chosen && (
        <>
          <SampleGrid dataset={chosen} />
          {chosen.status.state === 'ready' && chosen.status.notKept && (
            <p className={styles.notKept}>
              Ready, but not kept for the next visit: {chosen.status.notKept.message}
            </p>
          )}
          {chosen.own ? (
            <Later name="What takes images of yours">
              <OwnImages dataset={chosen} locked={locked} />
            </Later>
          ) : (
            chosen.status.state !== 'ready' && <Obtain key={chosen.name} dataset={chosen} />
          )}
          <p className={styles.about}>
            {chosen.description} {format.count(chosen.counts.train)} images to learn from,{' '}
            {format.count(chosen.counts.test)} to test on, {format.shape(chosen.shape)} each.
          </p>
          <p className={styles.about}>Licence: {chosen.licence}</p>
        </>
      )}
    </Panel>
  );
}

function statusWords(dataset: DatasetEntry): string {
  switch (dataset.status.state) {
    case 'ready':
      return 'ready';
    case 'absent':
      if (dataset.own) return 'folder or zip';
      return dataset.shipped ? 'shipped' : format.bytes(dataset.bytes);
    case 'reading':
      return 'being read';
    case 'downloading':
      return 'on its way';
    case 'failed':
      return 'failed';
  }
}
