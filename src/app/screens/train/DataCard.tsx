import { useEffect, useState } from 'react';
import { chosenDataset } from '../../actions/start.ts';
import { Icon } from '../../widgets/Icon.tsx';
import { later } from '../../components/later.tsx';
import { loadSamples } from '../../datasets.ts';
import { useApp } from '../../state/store.ts';
import { ImageGrid } from './ImageGrid.tsx';
import { statusOf } from './status.ts';
import { train as texts } from '../../messages/en/train.tsx';
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
    <section className={styles.card} aria-label={texts.data.label}>
      <button
        type="button"
        className={styles.opener}
        data-tour="data"
        aria-haspopup="dialog"
        aria-expanded={open}
        title={texts.data.title}
        onClick={() => setOpen(!open)}
      >
        <span className="unseen">{texts.data.label}: </span>
        <b>{dataset?.title ?? texts.data.loading}</b>
        <span className="fine">{dataset && (isEmpty ? texts.data.none : statusOf(dataset))}</span>
        <Icon name="chevron" />
      </button>
      <div className={styles.thumbnails}>
        {samples && dataset && <ImageGrid samples={samples} classes={dataset.classes} rows={1} />}
      </div>
      {open && <DataDrawer onClose={() => setOpen(false)} />}
    </section>
  );
}
