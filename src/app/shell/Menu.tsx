import { Icon } from '../widgets/Icon.tsx';
import { later } from '../components/later.tsx';
import { Popover } from '../widgets/Popover.tsx';
import styles from './Shell.module.css';

const PageSettings = later(
  'The page’s settings',
  async () => (await import('./PageSettings.tsx')).PageSettings,
);

/** The page's own settings, and the link to the run's. */
export const Menu = () => (
  <Popover
    label="Menu"
    title="Link, theme, keyboard shortcuts"
    className={styles.menu}
    face={<Icon name="settings" />}
  >
    <PageSettings />
  </Popover>
);
