import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type RefCallback,
} from 'react';
import { bytesOf, tokenHook } from '../use-ink.ts';
import styles from './maps.module.css';
import { tileAt, type MapColours, type TileLayout } from './tiles.ts';

interface MapCanvasProps {
  /** In canvas pixels. */
  width: number;
  height: number;
  /** For screen readers; without one the canvas is decoration. */
  label?: string;
  title?: string;
  className?: string | undefined;
  style?: CSSProperties;
  /** Paints the cleared canvas, after every render and whenever the theme changes. */
  paint(context: CanvasRenderingContext2D, colours: MapColours): void;
  /** The selected place, in canvas pixels. */
  onPick?: ((x: number, y: number) => void) | undefined;
}

/** A canvas for values painted as colours. */
export function MapCanvas({ width, height, label, paint, onPick, ...rest }: MapCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useMapColours();
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, width, height);
    paint(context, colours);
  });
  return (
    <canvas
      ref={canvas}
      width={width}
      height={height}
      role={label === undefined ? undefined : 'img'}
      aria-label={label}
      aria-hidden={label === undefined || undefined}
      onClick={({ currentTarget, clientX, clientY }) => {
        const bounds = currentTarget.getBoundingClientRect();
        onPick?.(
          ((clientX - bounds.left) / bounds.width) * width,
          ((clientY - bounds.top) / bounds.height) * height,
        );
      }}
      {...rest}
    />
  );
}

interface AtlasProps {
  /** Of the region, for screen readers. */
  name: string;
  /** What the canvas shows, for screen readers. */
  label: string;
  title?: string;
  count: number;
  /** @param across CSS pixels available for a row */
  layoutFor(across: number): TileLayout;
  paint(context: CanvasRenderingContext2D, colours: MapColours, layout: TileLayout): void;
  onPick?: ((tile: number) => void) | undefined;
}

/** Many small maps in rows on one canvas, which scrolls where they need more room. */
export function Atlas({ name, label, title, count, layoutFor, paint, onPick }: AtlasProps) {
  const [box, across] = useWidth<HTMLDivElement>();
  const layout = layoutFor(Math.max(across, 60));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <div ref={box} className={styles.atlas} tabIndex={0} role="region" aria-label={name}>
      <MapCanvas
        width={layout.width}
        height={layout.height}
        label={label}
        title={title}
        paint={(context, colours) => paint(context, colours, layout)}
        onPick={(x, y) => {
          const tile = tileAt(layout, count, x, y);
          if (tile !== undefined) onPick?.(tile);
        }}
      />
    </div>
  );
}

/** The size of an element's inside, in CSS pixels; 0 until it is laid out. */
export function useSize<T extends HTMLElement>(): [RefCallback<T>, { width: number; height: number }] {
  const [size, setSize] = useState({ width: 0, height: 0 });
  const ref = useCallback((element: T | null) => {
    if (!element) return undefined;
    const observer = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element;
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, size];
}

/** Its width alone. */
export function useWidth<T extends HTMLElement>(): [RefCallback<T>, number] {
  const [ref, { width }] = useSize<T>();
  return [ref, width];
}

const TOKENS = ['--map-zero', '--map-positive', '--map-negative', '--bad', '--ink'] as const;

const useTokens = tokenHook(TOKENS);

/** The theme's colours for values; they change with it. */
export function useMapColours(): MapColours {
  const tokens = useTokens();
  return useMemo(() => mapColoursOf(tokens), [tokens]);
}

/** @param tokens for zero, positive, negative, not a number, and lines */
export const mapColoursOf = ([zero, positive, negative, bad, line]: readonly string[]): MapColours => ({
  zero: bytesOf(zero),
  positive: bytesOf(positive),
  negative: bytesOf(negative),
  broken: bytesOf(bad),
  line,
});
