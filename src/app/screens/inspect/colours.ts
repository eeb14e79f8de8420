import { useMemo, useSyncExternalStore } from 'react';
import { bytesOf, onThemeChange, type Rgb } from '../../components/use-ink.ts';

/** How numbers are coloured: from zero to the largest, and to the most negative. */
export interface MapColours {
  zero: Rgb;
  positive: Rgb;
  negative: Rgb;
  /** Of what is no number. */
  broken: Rgb;
  /** Lines on maps. */
  line: string;
}

const TOKENS = ['--map-zero', '--map-positive', '--map-negative', '--bad', '--ink'] as const;

/** The theme's colours for numbers, for canvases; they change with it. */
export function useMapColours(): MapColours {
  const tokens = useSyncExternalStore(onThemeChange, () => {
    const style = getComputedStyle(document.documentElement);
    return TOKENS.map((token) => style.getPropertyValue(token)).join('|');
  });
  return useMemo(() => {
    const [zero, positive, negative, bad, line] = tokens.split('|');
    return {
      zero: bytesOf(zero),
      positive: bytesOf(positive),
      negative: bytesOf(negative),
      broken: bytesOf(bad),
      line,
    };
  }, [tokens]);
}

/** The colour of a number whose like reach up to `reach`; linear both ways. */
export function colourOf(value: number, reach: number, colours: MapColours): Rgb {
  if (!Number.isFinite(value)) return colours.broken;
  if (reach === 0) return colours.zero;
  const share = Math.min(1, Math.abs(value) / reach);
  const end = value < 0 ? colours.negative : colours.positive;
  const mix = (i: 0 | 1 | 2) => Math.round(colours.zero[i] + share * (end[i] - colours.zero[i]));
  return [mix(0), mix(1), mix(2)];
}
