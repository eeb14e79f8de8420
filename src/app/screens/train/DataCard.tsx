import { useEffect, useState } from 'react';
import { chosenDataset } from '../../actions/start.ts';
import { Icon } from '../../widgets/Icon.tsx';
import { later } from '../../components/later.tsx';
import { loadSamples } from '../../datasets.ts';
import { useApp } from '../../state/store.ts';
import { ImageGrid } from './ImageGrid.tsx';
import { statusOf } from './status.ts';
import styles from './Card.module.css';

const DataDrawer = later('Data sets', async () => (await import('./DataDrawer.tsx')).DataDrawer);

/** The chosen data set with its first images. Opens the list of all of them. */
export function DataCard() {
  const [open, setOpen] = useState(false);
  const dataset = useApp(chosenDataset);
  const samples = useApp((state) => (dataset ? state.samples[dataset.name] : undefined));
  const waiting = dataset?.status.state === 'ready' && !samples;
  const isEmpty = dataset?.own && dataset.status.state === 'absent';
  const name = dataset?.name;
  useEffect(() => {
    if (waiting && name !== undefined) void loadSamples(name);
  }, [waiting, name]);
  return (
    <section className={styles.card} aria-label="Data">
      <button
        type="button"
        className={styles.opener}
        aria-haspopup="dialog"
        aria-expanded={open}
        title="Choose another data set, or look at this one."
        onClick={() => setOpen(!open)}
      >
        <span className="unseen">Data: </span>
        <b>{dataset?.title ?? 'Loading data sets…'}</b>
        <span className="fine">{dataset && (isEmpty ? 'no images' : statusOf(dataset))}</span>
        <Icon name="chevron" />
      </button>
      <div className={styles.thumbnails}>
        {samples && dataset && <ImageGrid samples={samples} classes={dataset.classes} rows={1} />}
      </div>
      {open && <DataDrawer onClose={() => setOpen(false)} />}
    </section>
  );
}
