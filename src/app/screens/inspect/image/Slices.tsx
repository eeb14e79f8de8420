import { useEffect, useRef, type MouseEvent } from 'react';
import { useMapColours } from '../colours.ts';
import { cornerOf, layOut, paintMap, tileAt } from '../tiles.ts';
import { useWidth } from '../use-width.ts';
import styles from './Image.module.css';

interface SlicesProps {
  weights: Float32Array;
  /** Filters, and slices of each. */
  count: number;
  perFilter: number;
  size: readonly [width: number, height: number];
  reach: number;
  /** The filter that stands out. */
  chosen?: number | undefined;
  /** Told of the filter that was pressed. */
  onChoose?: (filter: number) => void;
}

/** Filters as pictures on one canvas: a picture for each channel that a filter sees. */
export function Slices({ weights, count, perFilter, size, reach, chosen, onChoose }: SlicesProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useMapColours();
  const [box, across] = useWidth<HTMLDivElement>();
  const [width, height] = size;
  const slices = count * perFilter;
  const side = slices <= 8 ? 80 : slices <= 32 ? 45 : slices <= 128 ? 30 : 20;
  const fit = layOut(slices, size, side, Math.max(across, 60));
  // Rows hold whole filters, where one fits.
  const columns = fit.columns >= perFilter ? Math.floor(fit.columns / perFilter) * perFilter : fit.columns;
  const layout = layOut(slices, size, side, columns * fit.stepX);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, layout.width, layout.height);
    for (let slice = 0; slice < slices; slice++) {
      const [x, y] = cornerOf(layout, slice);
      paintMap(context, weights, slice * width * height, size, [x, y, layout.zoom], reach, colours);
      if (chosen === undefined || Math.floor(slice / perFilter) !== chosen) continue;
      context.strokeStyle = colours.line;
      context.lineWidth = 2;
      context.strokeRect(x + 1, y + 1, width * layout.zoom - 2, height * layout.zoom - 2);
    }
  });
  const pressed = (event: MouseEvent<HTMLCanvasElement>) => {
    const bounds = event.currentTarget.getBoundingClientRect();
    const slice = tileAt(
      layout,
      slices,
      ((event.clientX - bounds.left) / bounds.width) * layout.width,
      ((event.clientY - bounds.top) / bounds.height) * layout.height,
    );
    if (slice !== undefined && count > 1) onChoose?.(Math.floor(slice / perFilter));
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <div ref={box} className={styles.atlas} tabIndex={0} role="region" aria-label="Filters">
      <canvas
        ref={canvas}
        width={layout.width}
        height={layout.height}
        role="img"
        aria-label={`${count} filters, ${perFilter} ${perFilter === 1 ? 'picture' : 'pictures'} of ${height} × ${width} each`}
        onClick={pressed}
      />
    </div>
  );
}
