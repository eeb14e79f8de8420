import { later } from '../components/later.tsx';
import { RunBar } from '../screens/train/RunBar.tsx';
import { presenting as texts } from '../messages/en/presenting.tsx';
import { togglePresenting, usePresenting } from '../presenting.ts';
import { Button } from '../widgets/Button.tsx';
import { hrefOf } from '../route.ts';
import { Icon } from '../widgets/Icon.tsx';
import { EngineChip } from './EngineChip.tsx';
import { Menu } from './Menu.tsx';
import { Screens } from './Screens.tsx';
import styles from './Shell.module.css';

const RunChip = later('The current run', async () => (await import('./RunChip.tsx')).RunChip);

interface TopBarProps {
  /** The screen that is shown. */
  screen: string;
  /** The address at which each visited screen was left. */
  addresses: Readonly<Record<string, string>>;
}

/** The page's name, its screens, the run, the device in use, and the page's own settings. */
export function TopBar({ screen, addresses }: TopBarProps) {
  const presenting = usePresenting();
  return (
    <header className={styles.bar}>
      <h1 className={styles.name}>
        <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
          <rect width="32" height="32" rx="8" className={styles.markGround} />
          <path d="M6 8c2.6 12.5 6.2 16.5 10 8.5 2.6-5.5 4.2 6.5 10 7" className={styles.markCurve} />
          <circle cx="26" cy="23.5" r="2.8" className={styles.markPoint} />
        </svg>
        <span>wgrad</span>
      </h1>
      {presenting ? <EndPresenting /> : <Screens screen={screen} addresses={addresses} />}
      <div className={styles.run}>{screen === 'train' ? <RunBar /> : <RunChip />}</div>
      <EngineChip />
      <a
        className={styles.menu}
        href={addresses['help'] || hrefOf('help')}
        aria-label="Help"
        title="Help: tour, glossary, keyboard shortcuts (?)"
        aria-current={screen === 'help' ? 'page' : undefined}
      >
        <Icon name="help" />
      </a>
      <Menu />
    </header>
  );
}

const EndPresenting = () => (
  <Button kind="quiet" icon="close" title={texts.title} shortcut="P" onPress={togglePresenting}>
    {texts.end}
  </Button>
);
