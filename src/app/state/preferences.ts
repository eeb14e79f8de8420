import { recall, remember } from './remember.ts';
import type { Slice } from './slice.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export interface PreferencesSlice {
  theme: Theme;
  /** Single-key shortcuts can be turned off: speech input and shaky hands press keys by accident. */
  hotkeys: boolean;
  /** Keep the screen on while training, where the browser can. */
  keepScreenOn: boolean;
  /** A newer build of the page is here, and is shown once the page is loaded anew. */
  update: boolean;
  setTheme(theme: Theme): void;
  setHotkeys(hotkeys: boolean): void;
  setKeepScreenOn(keepScreenOn: boolean): void;
}

const darkSystem = matchMedia('(prefers-color-scheme: dark)');

/** Puts the theme on the document; index.html does the same before the first paint. */
function apply(theme: Theme): void {
  const dark = theme === 'dark' || (theme === 'system' && darkSystem.matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}

export const preferencesSlice: Slice<PreferencesSlice> = (set, get) => {
  darkSystem.addEventListener('change', () => apply(get().theme));
  return {
    theme: THEMES.find((theme) => theme === recall('theme')) ?? 'system',
    hotkeys: recall('hotkeys') !== 'off',
    keepScreenOn: recall('keep-screen-on') === 'on',
    update: false,
    setTheme: (theme) => {
      remember('theme', theme);
      apply(theme);
      set({ theme });
    },
    setHotkeys: (hotkeys) => {
      remember('hotkeys', hotkeys ? 'on' : 'off');
      set({ hotkeys });
    },
    setKeepScreenOn: (keepScreenOn) => {
      remember('keep-screen-on', keepScreenOn ? 'on' : 'off');
      set({ keepScreenOn });
    },
  };
};
