import { useMemo, useSyncExternalStore } from 'react';

/** A colour as red, green, blue, each 0 to 255. */
export type Rgb = readonly [number, number, number];

/** A canvas resolves every CSS colour, system colours too, to bytes. */
export function bytesOf(colour: string): Rgb {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (!context) return [0, 0, 0];
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}

/** The colour of text, for canvases; changes with the theme, also while its screen is not shown. */
export function useInk(): Rgb {
  const colour = useSyncExternalStore(onThemeChange, () => getComputedStyle(document.body).color);
  return useMemo(() => bytesOf(colour), [colour]);
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
