import { chosenDataset } from '../../actions/start.ts';
import { Drawer } from '../../widgets/Drawer.tsx';
import { DataTools } from '../../data/DataTools.tsx';
import * as format from '../../format.ts';
import { runIsOpen } from '../../state/run.ts';
import { useApp } from '../../state/store.ts';
import type { DatasetEntry } from '../../../worker/api.ts';
import { data as texts } from '../../messages/en/data.tsx';
import { ObtainDataset } from './ObtainDataset.tsx';
import { OwnImages } from './OwnImages.tsx';
import { SelectedImages } from './SelectedImages.tsx';
import { SampleGrid } from './SampleGrid.tsx';
import { readyFirst, statusOf } from './status.ts';
import styles from './Data.module.css';

/** Sets that are built in are fetched when they are chosen. */
const isObtained = ({ shipped, status }: DatasetEntry): boolean =>
  status.state === 'ready' || (shipped && status.state !== 'failed');

/** The choice of a data set, with sample images, and how to obtain one that is not available. */
export function DataDrawer({ onClose }: { onClose(): void }) {
  const datasets = useApp((state) => state.datasets);
  const chosen = useApp(chosenDataset);
  const locked = useApp((state) => runIsOpen(state.runState));
  const change = useApp((state) => state.change);
  return (
    <Drawer title={texts.drawer.title} onClose={onClose}>
      <fieldset className={styles.sets}>
        <legend className="unseen">{texts.drawer.datasets}</legend>
        {datasets.length === 0 && <p className="faint">{texts.drawer.loading}</p>}
        {readyFirst(datasets).map((dataset) => (
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
      {chosen && (
        <>
          <SampleGrid dataset={chosen} />
          <DataTools dataset={chosen} />
          {chosen.status.state === 'ready' && chosen.status.notSaved && (
            <p className={`soft ${styles.notSaved}`}>
              {texts.drawer.notSaved(chosen.status.notSaved.message)}
            </p>
          )}
          {chosen.own ? (
            <OwnImages dataset={chosen} locked={locked} />
          ) : (
            isObtained(chosen) || <ObtainDataset key={chosen.name} dataset={chosen} />
          )}
          {(!chosen.own || chosen.counts.train > 0) && (
            <p className="faint">
              {chosen.description}
              {chosen.counts.train > 0 && (
                <>
                  {' '}
                  {texts.drawer.counts(chosen.counts.train, chosen.counts.test)}
                  <span className={styles.size}>{format.shape(chosen.shape)}</span>.
                  <SelectedImages count={chosen.counts.train} />
                </>
              )}
            </p>
          )}
          {!chosen.own && <p className="faint">{texts.drawer.licence(chosen.licence)}</p>}
        </>
      )}
    </Drawer>
  );
}
