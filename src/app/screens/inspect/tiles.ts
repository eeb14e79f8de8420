/** Many small maps side by side on one canvas. */
import { colourOf, type MapColours } from './colours.ts';

export interface TileLayout {
  /** Pixels of the canvas to one number. */
  zoom: number;
  columns: number;
  rows: number;
  /** From one tile to the next, in pixels of the canvas. */
  stepX: number;
  stepY: number;
  width: number;
  height: number;
}

export const GAP = 4;

/**
 * Lays tiles out in rows.
 * @param size numbers across and down a tile
 * @param side pixels that the longer side of a tile should have at least, in whole pixels a number
 * @param across pixels that a row may have
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

/** The tile at a place of the canvas; undefined between tiles and behind the last. */
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

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/**
 * Paints numbers as colours, a number to a square of `zoom` pixels.
 * @param values `width` to a row, from `from` on
 */
export function paintMap(
  context: Context,
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
