import { startWorker } from '../client.ts';
import { share } from '../messages/en/share.tsx';
import { PadPanel } from '../pad/PadPanel.tsx';
import { useApp } from '../state/store.ts';
import styles from './Embed.module.css';

// Everything that it needs is in this small worker, so it answers sooner than the page.
startWorker(
  'cpu',
  { onEvent: () => undefined, onDeath: (crash) => useApp.setState({ crash }), onResponds: () => undefined },
  () =>
    new Worker(new URL('../../worker/trained-alone.ts', import.meta.url), { type: 'module', name: 'wgrad' }),
);

/** The pad with the network that comes with the page. */
export function PadCard() {
  const crash = useApp((state) => state.crash);
  return (
    <div className={styles.pad}>
      <PadPanel dense alone />
      {crash !== undefined && <p role="alert">{crash}</p>}
      <p className="fine">{share.embed.oneThread}</p>
    </div>
  );
}
