import { later } from '../components/later.tsx';
import { useRoute } from '../route.ts';
import { useApp } from '../state/store.ts';
import { MissingPart, Notices } from './Notices.tsx';
import { Rescue, RunNotices } from './RunNotices.tsx';
import styles from './Shell.module.css';

const LinkNotice = later(
  'Link settings',
  async () => (await import('../screens/train/link/LinkNotice.tsx')).LinkNotice,
);

/** Where runs are started and resumed. */
const OF_RUNS = ['train', 'runs'];

/** The one place of notices on the page: over the lower edge of any screen, and beside an open drawer. */
export function NoticePlace({ screen }: { screen: string }) {
  const { parameters } = useRoute();
  const taken = useApp((state) => state.takenLink !== undefined);
  return (
    <div className={styles.notices}>
      <MissingPart />
      <Notices />
      {screen === 'train' && ('v' in parameters || taken) && <LinkNotice />}
      {OF_RUNS.includes(screen) && <RunNotices />}
      {screen === 'doctor' && <Rescue />}
    </div>
  );
}
