/** Draws a run's card: the light theme's colours, whatever the page's are, because it is looked at elsewhere. */
import type { Canvas2D } from '../../components/canvas-2d.ts';
import { drawTile } from '../../components/Tile.tsx';
import { rangeOf, reachOf } from '../../components/maps/numbers.ts';
import { paintMap } from '../../components/maps/tiles.ts';
import * as format from '../../format.ts';
import { share } from '../../messages/en/share.tsx';
import type { Points } from '../../../run/metrics/points.ts';
import type { FirstFilters } from '../../../worker/api.ts';
import type { CardContents, CardDigit } from './contents.ts';
import { niceTicks } from './ticks.ts';

const texts = share.picture;

export const [WIDTH, HEIGHT] = [1200, 630];
const MARGIN = 48;
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const INK = {
  paper: '#ffffff',
  ink: '#1c1e22',
  soft: '#5b5e67',
  line: '#e0ddd6',
  loss: '#0072b2',
  test: '#c24e00',
};
const MAP = {
  zero: [244, 243, 239],
  positive: [7, 66, 122],
  negative: [176, 74, 8],
  broken: [176, 38, 29],
  line: INK.ink,
} as const;

/** A rectangle of the card. */
interface Room {
  x: number;
  y: number;
  width: number;
  height: number;
}

const CURVE: Room = { x: MARGIN + 46, y: 252, width: 660, height: 180 };
const MATRIX = { x: 840, y: 62, side: 312 };
const FILTERS: Room = { x: MARGIN, y: 498, width: 706, height: 44 };
const DIGIT = { x: 840, y: 452, side: 104 };

/** The whole card, on a canvas of WIDTH x HEIGHT. */
export function drawCard(context: Canvas2D, contents: CardContents): void {
  const { words, points, confusion, classes, filters, digit } = contents;
  context.fillStyle = INK.paper;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  const matrix = confusion !== undefined && classes.length <= 24;
  const across = matrix || digit ? 752 : WIDTH - 2 * MARGIN;
  write(context, words.title, MARGIN, 88, { size: 38, weight: 700, most: across });
  write(context, words.about, MARGIN, 120, { size: 20, colour: INK.soft, most: across });
  drawFigures(context, contents);
  if (points && points.step.length > 1) drawLoss(context, points, { ...CURVE, width: across - 46 });
  if (filters) drawFilters(context, filters);
  if (matrix) drawMatrix(context, confusion, classes);
  if (digit) drawDigit(context, digit);
  write(context, words.settings, MARGIN, 574, { size: 18, colour: INK.soft, most: WIDTH - 2 * MARGIN });
  write(context, 'wgrad', MARGIN, 602, { size: 18, weight: 700 });
  // A built model makes an address that nobody could type.
  if (words.address !== undefined && words.address.length < 140)
    write(context, words.address.replace(/^https?:\/\//, ''), MARGIN + 66, 602, {
      size: 18,
      colour: INK.loss,
      most: WIDTH - 2 * MARGIN - 66,
    });
}

interface Style {
  size: number;
  colour?: string;
  weight?: number;
  align?: CanvasTextAlign;
  most?: number;
}

function write(
  context: Canvas2D,
  words: string,
  x: number,
  y: number,
  { size, colour = INK.ink, weight = 400, align = 'left', most = WIDTH }: Style,
): void {
  context.fillStyle = colour;
  context.font = `${weight} ${size}px ${FONT}`;
  context.textAlign = align;
  context.fillText(words, x, y, most);
}

function drawFigures(context: Canvas2D, { words: { accuracy, figures } }: CardContents): void {
  const all = [
    ...(accuracy ? [[accuracy.value, accuracy.label, 320] as const] : []),
    ...figures.map(([value, label]) => [value, label, 180] as const),
  ];
  let x = MARGIN;
  for (const [i, [value, label, width]] of all.entries()) {
    const colour = accuracy && i === 0 ? INK.test : INK.ink;
    write(context, value, x, 180, { size: 38, weight: 700, colour, most: width });
    write(context, label, x, 208, { size: 17, colour: INK.soft, most: width });
    x += width + 36;
  }
}

/** The smoothed loss with its axes. */
function drawLoss(context: Canvas2D, { step, smoothLoss }: Points, room: Room): void {
  const high = Math.max(...smoothLoss.filter(Number.isFinite));
  if (!(high > 0)) return;
  const last = step[step.length - 1];
  const [rows, columns] = [niceTicks(1.05 * high, 4), niceTicks(last, 6)];
  const top = 1.05 * high;
  const at = (value: number, loss: number) =>
    [room.x + (value / last) * room.width, room.y + room.height - (loss / top) * room.height] as const;
  context.lineWidth = 1;
  context.strokeStyle = INK.line;
  for (const loss of rows) {
    const [, y] = at(0, loss);
    context.beginPath();
    context.moveTo(room.x, y);
    context.lineTo(room.x + room.width, y);
    context.stroke();
    write(context, String(loss), room.x - 8, y + 5, { size: 15, colour: INK.soft, align: 'right' });
  }
  for (const value of columns) {
    const [x] = at(value, 0);
    const align = x > room.x + room.width - 20 ? 'right' : 'center';
    write(context, format.count(value), x, room.y + room.height + 20, { size: 15, colour: INK.soft, align });
  }
  write(context, texts.step, room.x + room.width, room.y + room.height + 38, {
    size: 15,
    colour: INK.soft,
    align: 'right',
  });
  context.strokeStyle = INK.loss;
  context.lineWidth = 3;
  context.lineJoin = 'round';
  context.beginPath();
  step.forEach((value, i) => {
    if (Number.isFinite(smoothLoss[i])) context.lineTo(...at(value, smoothLoss[i]));
  });
  context.stroke();
  write(context, texts.loss, room.x + room.width, room.y + 14, {
    size: 17,
    weight: 600,
    colour: INK.loss,
    align: 'right',
  });
}

/** As many as fit, of the first convolution. */
function drawFilters(context: Canvas2D, { shape, weights }: FirstFilters): void {
  const [K, C, R, S] = shape;
  const zoom = Math.max(1, Math.floor(FILTERS.height / Math.max(R, S)));
  const step = S * zoom + 6;
  const count = Math.min(K * C, Math.floor(FILTERS.width / step));
  const reach = reachOf(rangeOf(weights));
  for (let i = 0; i < count; i++)
    paintMap(context, weights, i * R * S, [S, R], [FILTERS.x + i * step, FILTERS.y, zoom], reach, MAP);
  write(context, texts.filters, FILTERS.x, FILTERS.y - 9, { size: 15, colour: INK.soft });
}

/** Blue cells are correct predictions, orange ones mistakes, as on the page. */
function drawMatrix(context: Canvas2D, counts: readonly number[], classes: readonly string[]): void {
  const { x, y, side } = MATRIX;
  const cell = side / classes.length;
  const size = Math.min(16, 0.7 * cell);
  for (const [row, name] of classes.entries()) {
    const total = counts
      .slice(row * classes.length, (row + 1) * classes.length)
      .reduce((sum, one) => sum + one, 0);
    for (let column = 0; column < classes.length; column++) {
      const part = total > 0 ? counts[row * classes.length + column] / total : 0;
      context.fillStyle = row === column ? INK.loss : INK.test;
      context.globalAlpha = part > 0 ? 0.12 + 0.88 * Math.sqrt(part) : 0.04;
      context.fillRect(x + column * cell + 1, y + row * cell + 1, cell - 2, cell - 2);
    }
    context.globalAlpha = 1;
    const middle = (row + 0.5) * cell + 0.35 * size;
    write(context, name, x - 8, y + middle, { size, colour: INK.soft, align: 'right', most: 70 });
    write(context, name, x + (row + 0.5) * cell, y + side + 4 + size, {
      size,
      colour: INK.soft,
      align: 'center',
      most: cell,
    });
  }
  write(context, texts.matrix, x, y - 12, { size: 15, colour: INK.soft, most: side });
}

/** What somebody drew, with the answer. */
function drawDigit(context: Canvas2D, { image, shape, answer, probability }: CardDigit): void {
  const { x, y, side } = DIGIT;
  const small = new OffscreenCanvas(shape[2], shape[1]);
  const pixels = small.getContext('2d');
  if (!pixels) return;
  drawTile(pixels, image, shape, 0, 0, [28, 30, 34]);
  context.strokeStyle = INK.line;
  context.lineWidth = 1;
  context.strokeRect(x + 0.5, y + 0.5, side, side);
  context.imageSmoothingEnabled = false;
  context.drawImage(small, x, y, side, side);
  write(context, texts.digit, x + side + 20, y + 22, { size: 15, colour: INK.soft });
  write(context, answer, x + side + 20, y + 70, { size: 44, weight: 700, most: 180 });
  write(context, texts.sure(format.percent(probability)), x + side + 20, y + 98, {
    size: 16,
    colour: INK.soft,
  });
}
