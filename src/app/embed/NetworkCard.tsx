import { PadPanel } from '../pad/PadPanel.tsx';
import { LiveNetwork } from '../screens/train/network/LiveNetwork.tsx';
import { RunBar } from '../screens/train/RunBar.tsx';
import { Notices } from '../shell/Notices.tsx';
import styles from './Embed.module.css';
import { OneThread, usePage } from './page.tsx';

/** The network at work on the image of the pad: the one that comes with the page, or the run's. */
export function NetworkCard({ settings }: { settings: Readonly<Record<string, string>> }) {
  usePage(settings);
  return (
    <>
      <RunBar />
      <div className={styles.stage}>
        <LiveNetwork />
      </div>
      <div className={styles.pad}>
        <PadPanel dense />
      </div>
      <Notices />
      <OneThread />
    </>
  );
}
