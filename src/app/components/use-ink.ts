import { useMemo, useSyncExternalStore } from 'react';

/** A colour as red, green, blue, each 0 to 255. */
export type Rgb = readonly [number, number, number];

/** Any CSS colour as bytes. Of system colours only an element knows which they are; a canvas without one takes light ones. */
export function bytesOf(colour: string): Rgb {
  const element = document.createElement('span');
  element.style.forcedColorAdjust = 'none';
  element.style.color = colour;
  document.body.append(element);
  const known = getComputedStyle(element).color;
  element.remove();
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (!context) return [0, 0, 0];
  context.fillStyle = known;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}

const inkNow = oncePerTheme(() => getComputedStyle(document.body).color);

/** The colour of text, for canvases; changes with the theme, also while its screen is not shown. */
export function useInk(): Rgb {
  const colour = useSyncExternalStore(onThemeChange, inkNow);
  return useMemo(() => bytesOf(colour), [colour]);
}

/**
 * Reads something of the styles once, and again after the theme has changed: every reading can make the browser recalculate
 * the styles of the whole page.
 */
export function oncePerTheme<T>(read: () => T): () => T {
  let known: { value: T } | undefined;
  let listens = false;
  return () => {
    if (!listens) onThemeChange(() => (known = undefined));
    listens = true;
    known ??= { value: read() };
    return known.value;
  };
}

/** A hook for the values of some tokens of theme.css, read once per theme. */
export function tokenHook(names: readonly string[]): () => readonly string[] {
  const now = oncePerTheme(() => {
    const style = getComputedStyle(document.documentElement);
    return names.map((name) => style.getPropertyValue(name).trim()).join('|');
  });
  return function useTokens() {
    const values = useSyncExternalStore(onThemeChange, now);
    return useMemo(() => values.split('|'), [values]);
  };
}

/** Calls back when the document's theme or the forced colours change; canvases must be painted again then. */
export function onThemeChange(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const forced = matchMedia('(forced-colors: active)');
  forced.addEventListener('change', changed);
  return () => {
    observer.disconnect();
    forced.removeEventListener('change', changed);
  };
}
