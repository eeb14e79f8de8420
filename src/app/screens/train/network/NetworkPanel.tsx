import { later } from '../../../components/later.tsx';
import { train as texts } from '../../../messages/en/train.tsx';
import { SlowMotion } from '../../../pace/SlowMotion.tsx';
import styles from '../Train.module.css';
import { useApp } from '../../../state/store.ts';

const LiveNetwork = later('The network', async () => (await import('./LiveNetwork.tsx')).LiveNetwork);

/** The place of the network at work. */
export function NetworkPanel() {
  const arrived = useApp((state) => state.arrived);
  return (
    <section className={styles.network} aria-labelledby="network">
      <h2 id="network" className="unseen">
        {texts.network}
      </h2>
      {arrived && <LiveNetwork />}
      <div className={styles.phases}>
        <SlowMotion />
      </div>
    </section>
  );
}
