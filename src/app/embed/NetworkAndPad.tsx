import { PadPanel } from '../pad/PadPanel.tsx';
import { LiveNetwork } from '../screens/train/network/LiveNetwork.tsx';
import styles from './Embed.module.css';

/** The network at work on the image of the pad: the one that comes with the page, or the run's. */
export const NetworkAndPad = () => (
  <>
    <div className={styles.stage}>
      <LiveNetwork />
    </div>
    <div className={styles.pad}>
      <PadPanel dense />
    </div>
  </>
);
