import type { EngineChoice } from '../../worker/api.ts';
import { recall, remember } from './remember.ts';
import type { Slice } from './slice.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const ENGINES: readonly EngineChoice[] = ['auto', 'gpu', 'cpu'];

export interface PreferencesSlice {
  /** As chosen here, or in the address as `?theme=dark`. */
  theme: Theme;
  /** Single-key shortcuts can be turned off: speech input and shaky hands press keys by accident. */
  hotkeys: boolean;
  /** Keep the screen on while training, where the browser can. */
  keepScreenOn: boolean;
  /** Train shows the charts that few ask for, too. */
  moreCharts: boolean;
  /** The first sentence, which says what the page is, was dismissed. */
  introduced: boolean;
  /** A newer build of the page is ready; a reload shows it. */
  update: boolean;
  /** What computes: as chosen here, or in the address as `?engine=cpu`. */
  engine: EngineChoice;
  dismissIntroduction(): void;
  setTheme(theme: Theme): void;
  setEngine(engine: EngineChoice): void;
  setHotkeys(hotkeys: boolean): void;
  setKeepScreenOn(keepScreenOn: boolean): void;
  setMoreCharts(moreCharts: boolean): void;
}

const darkSystem = matchMedia('(prefers-color-scheme: dark)');

/** Puts the theme on the document; index.html does the same before the first paint. */
function apply(theme: Theme): void {
  const dark = theme === 'dark' || (theme === 'system' && darkSystem.matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}

const inAddress = (preference: 'engine' | 'theme'): string | null =>
  'location' in globalThis ? new URLSearchParams(location.search).get(preference) : null;

/** Otherwise a reload would undo the choice. */
function forgetInAddress(preference: 'engine' | 'theme'): void {
  if (inAddress(preference) === null) return;
  const address = new URL(location.href);
  address.searchParams.delete(preference);
  history.replaceState(null, '', address);
}

export const preferencesSlice: Slice<PreferencesSlice> = (set, get) => {
  darkSystem.addEventListener('change', () => apply(get().theme));
  return {
    theme: THEMES.find((theme) => theme === (inAddress('theme') ?? recall('theme'))) ?? 'system',
    hotkeys: recall('hotkeys') !== 'off',
    keepScreenOn: recall('keep-screen-on') === 'on',
    moreCharts: recall('more-charts') === 'on',
    engine: ENGINES.find((engine) => engine === (inAddress('engine') ?? recall('engine'))) ?? 'auto',
    introduced: recall('introduced') === 'yes',
    update: false,
    dismissIntroduction: () => {
      remember('introduced', 'yes');
      set({ introduced: true });
    },
    setTheme: (theme) => {
      remember('theme', theme);
      forgetInAddress('theme');
      apply(theme);
      set({ theme });
    },
    setEngine: (engine) => {
      remember('engine', engine);
      forgetInAddress('engine');
      set({ engine });
    },
    setHotkeys: (hotkeys) => {
      remember('hotkeys', hotkeys ? 'on' : 'off');
      set({ hotkeys });
    },
    setKeepScreenOn: (keepScreenOn) => {
      remember('keep-screen-on', keepScreenOn ? 'on' : 'off');
      set({ keepScreenOn });
    },
    setMoreCharts: (moreCharts) => {
      remember('more-charts', moreCharts ? 'on' : 'off');
      set({ moreCharts });
    },
  };
};
