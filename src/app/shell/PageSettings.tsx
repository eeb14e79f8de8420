import { Choice } from '../widgets/Choice.tsx';
import { Button } from '../widgets/Button.tsx';
import { Icon } from '../widgets/Icon.tsx';
import { presenting as texts } from '../messages/en/presenting.tsx';
import { isPresenting, togglePresenting } from '../presenting.ts';
import { canKeepScreenOn } from '../keep-screen-on.ts';
import { share } from '../messages/en/share.tsx';
import { CopyLink } from '../share/CopyLink.tsx';
import { openShareDialog } from '../share/dialog.ts';
import { useApp } from '../state/store.ts';
import { Report } from './Report.tsx';
import styles from './Shell.module.css';

const THEMES = { system: 'System', light: 'Light', dark: 'Dark' };
const PICTURES = { system: <Icon name="system" />, light: <Icon name="sun" />, dark: <Icon name="moon" /> };

/** The link to the settings, the theme, keys and the screen. */
export function PageSettings() {
  const theme = useApp((state) => state.theme);
  const setTheme = useApp((state) => state.setTheme);
  const hotkeys = useApp((state) => state.hotkeys);
  const setHotkeys = useApp((state) => state.setHotkeys);
  const keepScreenOn = useApp((state) => state.keepScreenOn);
  const setKeepScreenOn = useApp((state) => state.setKeepScreenOn);
  return (
    <div className={styles.settings}>
      <div className="row">
        <CopyLink />
        <Button icon="upload" onPress={() => openShareDialog()}>
          {share.dialog.open}
        </Button>
      </div>
      <Button kind="quiet" icon="system" title={texts.title} shortcut="P" onPress={togglePresenting}>
        {isPresenting() ? texts.end : texts.begin}
      </Button>
      <div className="beside">
        Theme
        <Choice label="Theme" value={theme} options={THEMES} pictures={PICTURES} onChange={setTheme} />
      </div>
      <label>
        <input type="checkbox" checked={hotkeys} onChange={(event) => setHotkeys(event.target.checked)} />
        <span>
          Keyboard shortcuts: <kbd>Space</kbd> train or pause, <kbd>.</kbd> step, <kbd>Ctrl K</kbd> commands,{' '}
          <kbd>?</kbd> help
        </span>
      </label>
      {canKeepScreenOn() && (
        <label>
          <input
            type="checkbox"
            checked={keepScreenOn}
            onChange={(event) => setKeepScreenOn(event.target.checked)}
          />
          <span>Keep the screen on while training</span>
        </label>
      )}
      <Report />
      <p className="faint">Everything runs locally. Images, drawings and timings never leave your device.</p>
      <p className="faint">
        wgrad is MIT licensed. <a href="./licences.txt">Third-party licences</a>
      </p>
    </div>
  );
}
