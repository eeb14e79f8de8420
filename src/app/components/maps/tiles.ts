/** Painting of values as colours: single maps, and many small ones in rows on one canvas. */
import type { Canvas2D } from '../canvas-2d.ts';
import type { Rgb } from '../use-ink.ts';

/** How values are coloured: from zero to the largest, and to the most negative. */
export interface MapColours {
  zero: Rgb;
  positive: Rgb;
  negative: Rgb;
  /** For NaN and infinities. */
  broken: Rgb;
  /** Of lines on maps, in CSS. */
  line: string;
}

/** The colour of a value, linear from zero to `reach` both ways. */
export function colourOf(value: number, reach: number, colours: MapColours): Rgb {
  if (!Number.isFinite(value)) return colours.broken;
  if (reach === 0) return colours.zero;
  const share = Math.min(1, Math.abs(value) / reach);
  const end = value < 0 ? colours.negative : colours.positive;
  const mix = (i: 0 | 1 | 2) => Math.round(colours.zero[i] + share * (end[i] - colours.zero[i]));
  return [mix(0), mix(1), mix(2)];
}

export interface TileLayout {
  /** Canvas pixels per value. */
  zoom: number;
  columns: number;
  rows: number;
  /** From one tile to the next, in canvas pixels. */
  stepX: number;
  stepY: number;
  width: number;
  height: number;
}

export const GAP = 4;

/**
 * Lays tiles out in rows.
 * @param size values across and down a tile
 * @param side least pixels for the longer side of a tile; every value gets a whole number of them
 * @param across most pixels for a row
 */
export function layOut(
  count: number,
  [width, height]: readonly [number, number],
  side: number,
  across: number,
): TileLayout {
  const zoom = Math.max(1, Math.ceil(side / Math.max(width, height)));
  const [stepX, stepY] = [width * zoom + GAP, height * zoom + GAP];
  const columns = Math.max(1, Math.min(count, Math.floor((across + GAP) / stepX)));
  const rows = Math.ceil(count / columns);
  return { zoom, columns, rows, stepX, stepY, width: columns * stepX - GAP, height: rows * stepY - GAP };
}

/** The tile at a place of the canvas; undefined between tiles and after the last. */
export function tileAt(
  { columns, stepX, stepY }: TileLayout,
  count: number,
  x: number,
  y: number,
): number | undefined {
  const column = Math.floor(x / stepX);
  const tile = Math.floor(y / stepY) * columns + column;
  const inside = x >= 0 && y >= 0 && column < columns && x % stepX < stepX - GAP && y % stepY < stepY - GAP;
  return inside && tile < count ? tile : undefined;
}

export const cornerOf = ({ columns, stepX, stepY }: TileLayout, tile: number): [x: number, y: number] => [
  (tile % columns) * stepX,
  Math.floor(tile / columns) * stepY,
];

/**
 * Paints values as colours, each as a square of `zoom` pixels.
 * @param values row by row, starting at index `from`
 * @param reach the value that the strongest colour stands for
 */
export function paintMap(
  context: Canvas2D,
  values: ArrayLike<number>,
  from: number,
  [width, height]: readonly [number, number],
  [x, y, zoom]: readonly [x: number, y: number, zoom: number],
  reach: number,
  colours: MapColours,
): void {
  const pixels = context.createImageData(width * zoom, height * zoom);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const [red, green, blue] = colourOf(values[from + row * width + column], reach, colours);
      for (let dy = 0; dy < zoom; dy++) {
        let at = 4 * ((row * zoom + dy) * width * zoom + column * zoom);
        for (let dx = 0; dx < zoom; dx++) {
          pixels.data[at++] = red;
          pixels.data[at++] = green;
          pixels.data[at++] = blue;
          pixels.data[at++] = 255;
        }
      }
    }
  }
  context.putImageData(pixels, x, y);
}

/** Draws a frame just inside the edge of a tile. */
export function frameTile(
  context: Canvas2D,
  layout: TileLayout,
  tile: number,
  [width, height]: readonly [number, number],
  { line }: MapColours,
): void {
  const [x, y] = cornerOf(layout, tile);
  context.strokeStyle = line;
  context.lineWidth = 2;
  context.strokeRect(x + 1, y + 1, width * layout.zoom - 2, height * layout.zoom - 2);
}
