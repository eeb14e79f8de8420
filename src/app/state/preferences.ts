import type { Slice } from './slice.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export interface PreferencesSlice {
  theme: Theme;
  /** Single-key shortcuts can be turned off: speech input and shaky hands press keys by accident. */
  hotkeys: boolean;
  setTheme(theme: Theme): void;
  setHotkeys(hotkeys: boolean): void;
}

// Browsers that block storage throw on any access; the page then just forgets.
function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    return;
  }
}
function recall(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
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
    theme: THEMES.find((theme) => theme === recall('wgrad.theme')) ?? 'system',
    hotkeys: recall('wgrad.hotkeys') !== 'off',
    setTheme: (theme) => {
      remember('wgrad.theme', theme);
      apply(theme);
      set({ theme });
    },
    setHotkeys: (hotkeys) => {
      remember('wgrad.hotkeys', hotkeys ? 'on' : 'off');
      set({ hotkeys });
    },
  };
};
