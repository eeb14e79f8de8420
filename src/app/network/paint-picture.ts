/** Paints the picture of a network: maps as colours, faint lines from column to column, and the answer as bars. */
import type { Canvas2D } from '../components/canvas-2d.ts';
import { elements } from '../../base/shape.ts';
import type { Look } from '../../worker/api.ts';
import { rangeOf, reachOf } from '../components/maps/numbers.ts';
import { colourOf, paintMap, type MapColours } from '../components/maps/tiles.ts';
import { drawTile } from '../components/Tile.tsx';
import type { Rgb } from '../components/use-ink.ts';
import * as format from '../format.ts';
import { covered, type NetworkPicture, type PictureColumn, type Rect } from './picture.ts';
import type { ValueBox } from '../../ops/reads.ts';

/** What there is to paint. */
export interface PaintedNetwork {
  /** Undefined before the network has run: then only the places of its maps are drawn. */
  look: Look | undefined;
  /** One per class, of the same prediction as the look. */
  probabilities: Float32Array | undefined;
  image: Uint8Array | undefined;
  classes: readonly string[];
  /** The boxes that a pointed value reads, by layer, and the value's own. */
  field: ReadonlyMap<string, ValueBox>;
  /** The layer of the pointed value. */
  pointed: string | undefined;
}

/** The colours of the stage, the same in both themes. */
export interface StageColours extends MapColours {
  ink: string;
  faint: string;
  edge: string;
  link: Rgb;
  /** Behind everything. */
  ground: Rgb;
}

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
/** Of the strongest value: from there on, colours are as strong as they get. On a dark ground weak ones are lost otherwise. */
const BRIGHT = 0.7;
/** Type beside the answer's bars: of the likeliest class, and of shares, beside that of names. The least length of a bar. */
const [BEST, SHARE] = [1.15, 0.86];
const LEAST_BAR = 28;
/** Lines between two columns, at most; of more pairs, those of the strongest maps. */
const MOST_LINKS = 140;

export function paintPicture(
  context: Canvas2D,
  picture: NetworkPicture,
  shown: PaintedNetwork,
  colours: StageColours,
  scale: number,
): void {
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, picture.width, picture.height);
  context.imageSmoothingEnabled = false;
  const { columns } = picture;
  const strengths = columns.map((column) => strengthsOf(column, shown));
  columns.forEach((column, i) => {
    if (i > 0)
      paintLinks(context, [columns[i - 1], column], [strengths[i - 1], strengths[i]], shown, colours);
  });
  paintReading(context, picture, shown, colours);
  for (const column of columns) {
    if (column.kind === 'image') paintImage(context, column, shown, colours);
    else if (column.kind === 'answer') paintAnswer(context, column, shown, colours);
    else paintColumn(context, column, shown, colours);
  }
  for (const column of columns) paintMarks(context, column, shown, colours);
}

/** How strongly each tile of a column is active, from 0 to 1 for the strongest. */
function strengthsOf(
  { kind, tiles, layer }: PictureColumn,
  { look, probabilities }: PaintedNetwork,
): number[] {
  if (!look || !probabilities) return tiles.map(() => 0.25);
  if (kind === 'image') return [1];
  if (kind === 'answer') return rankedClasses(probabilities, tiles.length).map((k) => probabilities[k] || 0);
  const values = look.overviews[layer.name];
  if (!values) return tiles.map(() => 0.25);
  const size = elements(layer.shape.slice(1));
  const sums = tiles.map((_, k) => {
    let sum = 0;
    for (let i = k * size; i < (k + 1) * size; i++)
      sum += Number.isFinite(values[i]) ? Math.abs(values[i]) : 0;
    return sum;
  });
  const most = Math.max(...sums) || 1;
  return sums.map((sum) => sum / most);
}

/** The classes in their order; of more than fit, the likeliest first. */
export function rankedClasses(probabilities: Float32Array, count: number): number[] {
  const all = Array.from(probabilities, (_, k) => k);
  if (all.length <= count) return all;
  return all.sort((a, b) => probabilities[b] - probabilities[a]).slice(0, count);
}

function paintLinks(
  context: Canvas2D,
  [before, column]: readonly [PictureColumn, PictureColumn],
  [from, to]: readonly [number[], number[]],
  { pointed, field }: PaintedNetwork,
  { link }: StageColours,
): void {
  let pairs = from.flatMap((a, i) => to.map((b, j) => ({ i, j, weight: a * b })));
  if (pairs.length > MOST_LINKS) pairs = pairs.sort((a, b) => b.weight - a.weight).slice(0, MOST_LINKS);
  const dim = pointed !== undefined && field.size > 0 ? 0.35 : 1;
  // A column that is fed by many has fainter lines, so that the columns look alike.
  const share = Math.min(1, 9 / Math.sqrt(pairs.length));
  context.lineWidth = 0.9;
  for (const { i, j, weight } of pairs) {
    context.strokeStyle = `rgb(${link.join(' ')} / ${(dim * share * (0.05 + 0.42 * weight)).toFixed(3)})`;
    curve(context, endOf(before, i), startOf(column, j));
  }
}

type Point = readonly [x: number, y: number];

const middle = ({ y, height }: Rect): number => y + height / 2;

/** Lines leave a column at its right edge, at the height of a tile, and enter at its left edge. */
const endOf = (column: PictureColumn, tile: number): Point => [
  column.x + column.width + 3,
  middle(column.tiles[tile]),
];
const startOf = (column: PictureColumn, tile: number): Point => [column.x - 3, middle(column.tiles[tile])];

function curve(context: Canvas2D, [x1, y1]: Point, [x2, y2]: Point): void {
  const bend = (x2 - x1) / 2;
  context.beginPath();
  context.moveTo(x1, y1);
  context.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
  context.stroke();
}

/** Lines from what is read to the value, or the map, that reads it. */
function paintReading(
  context: Canvas2D,
  { columns }: NetworkPicture,
  { field, pointed }: PaintedNetwork,
  colours: StageColours,
): void {
  const at = columns.findIndex(({ layer }) => layer.name === pointed);
  if (at < 1) return;
  const boxesOf = (column: PictureColumn) => {
    const box = field.get(column.layer.name);
    return box ? covered(column, box) : [];
  };
  context.strokeStyle = colours.line;
  context.lineWidth = 1;
  for (let i = at; i > 0; i--) {
    const targets = boxesOf(columns[i]);
    const sources = boxesOf(columns[i - 1]);
    // One value reads many boxes; further back, each line would be one of thousands.
    const [target] = targets;
    context.globalAlpha = i === at ? 0.9 : 0.3;
    if (target)
      for (const { x, y, width, height } of sources)
        for (const corner of sources.length > 4 ? [0.5] : [0, 1])
          curve(context, [x + width, y + corner * height], [target.x, target.y + corner * target.height]);
  }
  context.globalAlpha = 1;
}

function paintImage(
  context: Canvas2D,
  { tiles: [tile], layer }: PictureColumn,
  { image }: PaintedNetwork,
  colours: StageColours,
) {
  context.fillStyle = `rgb(${colours.zero.join(' ')})`;
  context.fillRect(tile.x, tile.y, tile.width, tile.height);
  const [channels, height = 1, width = 1] = layer.shape;
  if (image?.length === channels * height * width)
    blit(context, [width, height], tile, (pixels) =>
      drawTile(pixels, image, layer.shape, 0, 0, colours.positive),
    );
  outline(context, tile, colours);
}

function paintColumn(
  context: Canvas2D,
  column: PictureColumn,
  { look }: PaintedNetwork,
  colours: StageColours,
): void {
  const { kind, tiles, layer, filters } = column;
  const values = look?.overviews[layer.name];
  const [, height = 1, width = 1] = layer.shape;
  const reach = values ? BRIGHT * reachOf(rangeOf(values)) : 0;
  tiles.forEach((tile, k) => {
    if (kind === 'values') {
      const known = values && colourOf(values[k], reach, { ...colours, zero: colours.ground });
      disc(context, tile, known, colours);
      return;
    }
    if (values)
      blit(context, [width, height], tile, (pixels) =>
        paintMap(pixels, values, k * width * height, [width, height], [0, 0, 1], reach, colours),
      );
    outline(context, tile, colours);
  });
  const weights = look?.output.layer === layer.name ? look.filters : undefined;
  if (weights) filters.forEach((rect, k) => paintFilter(context, rect, k, weights, colours));
}

/** A filter of one channel in the colours of maps; of three, as the colours that it looks for. */
function paintFilter(
  context: Canvas2D,
  rect: Rect,
  k: number,
  { shape: [, C, R, S], weights }: NonNullable<Look['filters']>,
  colours: StageColours,
): void {
  const size = [S, R] as const;
  const area = R * S;
  const from = k * C * area;
  if (C === 3) {
    const reach = reachOf(rangeOf(weights, from, from + C * area)) || 1;
    const bytes = Uint8Array.from(weights.subarray(from, from + C * area), (w) => 128 + (127 * w) / reach);
    blit(context, size, rect, (pixels) => drawTile(pixels, bytes, [3, R, S], 0, 0, colours.positive));
  } else {
    const reach = reachOf(rangeOf(weights));
    blit(context, size, rect, (pixels) => paintMap(pixels, weights, from, size, [0, 0, 1], reach, colours));
  }
  outline(context, rect, colours);
}

function disc(
  context: Canvas2D,
  { x, y, width }: Rect,
  colour: Rgb | undefined,
  { edge }: StageColours,
): void {
  context.beginPath();
  context.arc(x + width / 2, y + width / 2, width / 2 - 0.5, 0, 2 * Math.PI);
  if (colour) {
    context.fillStyle = `rgb(${colour.join(' ')})`;
    context.fill();
  }
  context.strokeStyle = edge;
  context.lineWidth = 1;
  context.stroke();
}

function paintAnswer(
  context: Canvas2D,
  column: PictureColumn,
  { probabilities, classes }: PaintedNetwork,
  colours: StageColours,
): void {
  const { tiles } = column;
  const ranked = probabilities ? rankedClasses(probabilities, tiles.length) : tiles.map((_, k) => k);
  const best = probabilities ? probabilities.indexOf(Math.max(...probabilities)) : -1;
  const size = Math.max(11, Math.min(17, 0.46 * tiles[0].height));
  context.textBaseline = 'middle';
  const widest = (factor: number, texts: readonly string[]) => {
    context.font = `700 ${factor * size}px ${FONT}`;
    return Math.max(...texts.map((text) => context.measureText(text).width));
  };
  const percent = widest(SHARE, [format.percent(1)]) + 8;
  const names =
    widest(
      BEST,
      ranked.map((k) => classes[k] ?? String(k)),
    ) + 8;
  const label = Math.min(names, tiles[0].width - percent - LEAST_BAR);
  tiles.forEach(({ x, y, width, height }, at) => {
    const k = ranked[at];
    const share = probabilities?.[k] ?? 0;
    const isBest = k === best;
    const name = classes[k] ?? String(k);
    const bar = {
      x: x + label,
      y: y + height / 2 - 0.22 * height,
      width: width - label - percent,
      height: 0.44 * height,
    };
    context.font = `${isBest ? 700 : 400} ${isBest ? BEST * size : size}px ${FONT}`;
    context.fillStyle = isBest ? `rgb(${colours.positive.join(' ')})` : colours.ink;
    context.textAlign = 'left';
    context.fillText(clipped(context, name, label - 4), x, y + height / 2);
    // Empty, it looks empty, also in forced colours.
    context.fillStyle = `rgb(${colours.zero.join(' ')})`;
    context.fillRect(bar.x, bar.y, bar.width, bar.height);
    outline(context, bar, colours);
    if (!probabilities) return;
    context.fillStyle = `rgb(${(isBest ? colours.positive : colours.negative).join(' ')})`;
    context.fillRect(bar.x, bar.y, Math.max(share > 0.001 ? 1.5 : 0, share * bar.width), bar.height);
    context.font = `${isBest ? 700 : 400} ${SHARE * size}px ${FONT}`;
    context.fillStyle = isBest ? `rgb(${colours.positive.join(' ')})` : colours.faint;
    context.textAlign = 'right';
    context.fillText(format.percent(share), x + width, y + height / 2);
  });
}

function clipped(context: Canvas2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let end = text.length - 1;
  while (end > 1 && context.measureText(`${text.slice(0, end)}…`).width > width) end--;
  return `${text.slice(0, end)}…`;
}

function paintMarks(
  context: Canvas2D,
  column: PictureColumn,
  { field, pointed }: PaintedNetwork,
  colours: StageColours,
): void {
  const box = field.get(column.layer.name);
  if (!box || column.kind === 'answer') return;
  context.strokeStyle = colours.line;
  context.lineWidth = column.layer.name === pointed ? 2 : 1.5;
  for (const { x, y, width, height } of covered(column, box)) context.strokeRect(x, y, width, height);
}

function outline(context: Canvas2D, { x, y, width, height }: Rect, { edge }: StageColours): void {
  context.strokeStyle = edge;
  context.lineWidth = 1;
  context.strokeRect(x - 0.5, y - 0.5, width + 1, height + 1);
}

let small: OffscreenCanvas | undefined;

/** Paints pixels at their own size, then shows them as large as a place. */
function blit(
  context: Canvas2D,
  [width, height]: readonly [number, number],
  to: Rect,
  paint: (pixels: OffscreenCanvasRenderingContext2D) => void,
): void {
  small ??= new OffscreenCanvas(1, 1);
  if (small.width < width || small.height < height) {
    small.width = Math.max(small.width, width);
    small.height = Math.max(small.height, height);
  }
  const pixels = small.getContext('2d', { willReadFrequently: true });
  if (!pixels) return;
  pixels.clearRect(0, 0, width, height);
  paint(pixels);
  context.drawImage(small, 0, 0, width, height, to.x, to.y, to.width, to.height);
}
