import { ENGINES, engineOf } from '../state/device.ts';
import { Icon } from '../widgets/Icon.tsx';
import { later } from '../components/later.tsx';
import { Popover } from '../widgets/Popover.tsx';
import { useApp, type AppState } from '../state/store.ts';
import styles from './Shell.module.css';

const EnginePanel = later('The engine in use', async () => (await import('./EnginePanel.tsx')).EnginePanel);

/** The device in use. Behind it: its name, the choice of the engine, and what makes training slow here. */
export function EngineChip() {
  const [tone, text] = useApp(chipOf).split('|');
  const name = useApp(nameOf) ?? text;
  const unread = useApp((state) =>
    isSlowHere(state) && state.readAbout !== state.adapter?.description ? adviceTone(state) : undefined,
  );
  return (
    <Popover
      label={`Device: ${name}`}
      title={name}
      className={`${styles.chip} ${tone === 'info' ? 'breathing' : ''}`}
      tone={unread ?? tone}
      onOpen={() => useApp.getState().noteAdviceRead()}
      face={
        <>
          <Icon name={unread === 'warning' ? 'warning' : 'gpu'} />
          <span className={styles.chipText}>{text}</span>
        </>
      }
    >
      <div className={styles.engine}>
        <p>
          <b>{name}</b>
        </p>
        <EnginePanel />
      </div>
    </Popover>
  );
}

/** What computes, in full, or what it waits for; undefined where something is wrong. */
function nameOf({ device, adapter, crash }: AppState): string | undefined {
  if (crash !== undefined || device === 'unavailable') return undefined;
  if (device === 'connecting') return 'Connecting…';
  if (device !== 'ready') return 'Reconnecting…';
  return adapter && `${adapter.description}${adapter.featureLevel === 'core' ? '' : ', compatibility mode'}`;
}

/** The chip's tone and text, joined by a bar: the engine, also while it connects, or what is wrong with it. */
function chipOf(state: AppState): string {
  const { device, deviceError, crash } = state;
  if (crash !== undefined) return 'error|Crashed';
  if (device === 'unavailable')
    return `error|${deviceError?.code === 'no-cpu-engine' ? 'No CPU engine' : 'No GPU'}`;
  return `${device === 'ready' ? 'good' : 'info'}|${ENGINES[engineOf(state)]}`;
}

/** To compute on the CPU is no fault. */
const adviceTone = ({ adapter }: AppState): 'info' | 'warning' =>
  adapter?.insteadOfGpu === undefined ? 'warning' : 'info';

/** Whether something makes training slower than this machine could. */
const isSlowHere = ({ device, adapter }: AppState): boolean =>
  device === 'ready' &&
  adapter !== undefined &&
  (adapter.insteadOfGpu !== undefined || adapter.software || adapter.featureLevel === 'compatibility');
