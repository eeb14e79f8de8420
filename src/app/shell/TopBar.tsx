import { chooseEngine, engineOf, obstacleToEngine } from '../actions/engine.ts';
import { Choice } from '../components/Choice.tsx';
import { Icon } from '../components/Icon.tsx';
import { hrefOf } from '../route.ts';
import { CopyLink } from '../share/CopyLink.tsx';
import { SCREENS } from '../screens/index.ts';
import { useApp } from '../state/store.ts';
import { RunChip } from './RunChip.tsx';
import styles from './Shell.module.css';

const THEMES = { system: 'System', light: 'Light', dark: 'Dark' };
const PICTURES = { system: <Icon name="system" />, light: <Icon name="sun" />, dark: <Icon name="moon" /> };

interface TopBarProps {
  /** The screen that is shown. */
  screen: string;
  /** The address at which each visited screen was left. */
  addresses: Readonly<Record<string, string>>;
}

/** The page's name, its screens, the device in use, the choice of the engine and the theme. */
export function TopBar({ screen, addresses }: TopBarProps) {
  const theme = useApp((state) => state.theme);
  const setTheme = useApp((state) => state.setTheme);
  return (
    <header className={styles.bar}>
      <h1 className={styles.name}>
        <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
          <rect width="32" height="32" rx="8" className={styles.markGround} />
          <path d="M6 8c2.6 12.5 6.2 16.5 10 8.5 2.6-5.5 4.2 6.5 10 7" className={styles.markCurve} />
          <circle cx="26" cy="23.5" r="2.8" className={styles.markPoint} />
        </svg>
        wgrad
      </h1>
      <nav className={styles.screens} aria-label="Screens">
        {SCREENS.map(({ name, title, icon }) => (
          <a
            key={name}
            href={addresses[name] || hrefOf(name)}
            aria-current={name === screen ? 'page' : undefined}
          >
            <Icon name={icon} />
            {title}
          </a>
        ))}
      </nav>
      <p className={styles.claim}>Train neural networks in your browser.</p>
      <RunChip />
      <CopyLink />
      <AdapterChip />
      <EngineChoice />
      <Choice label="Theme" value={theme} options={THEMES} pictures={PICTURES} onChange={setTheme} />
    </header>
  );
}

const ENGINES = { gpu: 'GPU', cpu: 'CPU' };

function EngineChoice() {
  const engine = useApp(engineOf);
  const obstacle = useApp(obstacleToEngine);
  return (
    <Choice
      label="Compute on"
      value={engine}
      options={ENGINES}
      obstacle={obstacle}
      onChange={(chosen) => void chooseEngine(chosen)}
    />
  );
}

function AdapterChip() {
  const device = useApp((state) => state.device);
  const adapter = useApp((state) => state.adapter);
  const error = useApp((state) => state.deviceError);
  const crashed = useApp((state) => state.crash !== undefined);
  const [tone, text] = ((): [string, string] => {
    if (crashed) return ['error', 'Crashed'];
    switch (device) {
      case 'connecting':
        return ['info', 'Connecting…'];
      case 'unavailable':
        return ['error', error?.code === 'no-cpu-engine' ? 'No CPU engine' : 'No WebGPU'];
      case 'lost':
      case 'recovering':
        return ['info', 'Reconnecting…'];
      case 'ready':
        return [adapter?.software ? 'warning' : 'good', adapter?.description ?? 'Ready'];
    }
  })();
  const title =
    adapter && device === 'ready'
      ? `${adapter.cpu ? adapter.description : `${adapter.vendor} ${adapter.architecture}`}${adapter.featureLevel === 'core' ? '' : ', compatibility mode'}`.trim()
      : undefined;
  return (
    <p className={`${styles.chip} ${tone === 'info' ? 'breathing' : ''}`} data-tone={tone} title={title}>
      <Icon name="gpu" />
      <span className="unseen">Device: </span>
      <span className={styles.chipText}>{text}</span>
    </p>
  );
}
