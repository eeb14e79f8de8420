import { useState } from 'react';
import { later } from '../../../components/later.tsx';
import { train as texts } from '../../../messages/train.ts';
import { SlowMotion } from '../../../pace/SlowMotion.tsx';
import { usePad } from '../../../pad/pad-store.ts';
import { useApp } from '../../../state/store.ts';
import styles from '../Train.module.css';

const LiveNetwork = later('The network', async () => (await import('./LiveNetwork.tsx')).LiveNetwork);

/** The place of the network at work. Its code is fetched when the pad has been answered, or could train: they come first. */
export function NetworkPanel() {
  const answered = usePad((state) => state.prediction !== undefined);
  const ready = useApp((state) => state.device !== 'connecting');
  const [shown, setShown] = useState(false);
  if ((answered || ready) && !shown) setShown(true);
  return (
    <section className={styles.network} aria-labelledby="network">
      <h2 id="network" className="unseen">
        {texts.network}
      </h2>
      {shown && <LiveNetwork />}
      <div className={styles.phases}>
        <SlowMotion />
      </div>
    </section>
  );
}
