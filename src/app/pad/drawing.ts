import type { Canvas2D } from '../components/canvas-2d.ts';
import type { Shape } from '../../base/shape.ts';
import { resized as resizedPlane } from '../../base/pixels/area.ts';
import { normaliseDrawing } from '../../base/pixels/normalise.ts';
import { resized } from '../../base/pixels/resize.ts';
import { isColour, type PadTarget } from './target.ts';

export interface PenStroke {
  /** x and y in turn, each 0 to 1 across the pad. */
  points: number[];
  /** What a pad for colour images draws it with. */
  colour: string;
}

/** The sheet that ink is measured on: ten of its pixels to one of MNIST's. */
export const SHEET = 280;

/** What is drawn within this share of the sheet is a touch of the pen, whatever its width. */
export const DOT = 0.03;

/**
 * Draws strokes with round ends onto a square.
 *
 * @param side of the square, in the context's pixels
 * @param brush width of the line, as a share of the side
 * @param ink draws all of them; each has its own colour without it
 */
export function drawStrokes(
  context: Canvas2D,
  strokes: readonly PenStroke[],
  side: number,
  brush: number,
  ink?: string,
): void {
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.lineWidth = brush * side;
  for (const { points, colour } of strokes) {
    context.strokeStyle = ink ?? colour;
    context.beginPath();
    context.moveTo(points[0] * side, points[1] * side);
    // A line to almost where it starts makes a dot of a single touch; lines of no length are not drawn.
    if (points.length === 2) context.lineTo(points[0] * side + 0.01, points[1] * side);
    for (let i = 2; i < points.length; i += 2) context.lineTo(points[i] * side, points[i + 1] * side);
    context.stroke();
  }
}

/** How much of a digit's picture its ink takes when it is fitted: `normaliseDrawing`. */
const FITTED = 20 / 28;

/**
 * The width to draw strokes with that are enlarged until their ink takes `FITTED`: such that it is the brush's afterwards,
 * and a small digit is no blob. A single touch stays a dot.
 */
export function widthToFit(strokes: readonly PenStroke[], brush: number): number {
  const points = strokes.flatMap((stroke) => stroke.points);
  const spread = (first: number) => {
    const along = points.filter((_, i) => i % 2 === first);
    return Math.max(...along) - Math.min(...along);
  };
  const side = Math.max(spread(0), spread(1));
  if (side < DOT) return brush;
  const share = brush / FITTED;
  return Math.min(brush, (side * share) / (1 - share));
}

let sheet: OffscreenCanvasRenderingContext2D | null | undefined;

/**
 * The strokes as an image like those of the data set; undefined if there are none.
 * @param paper colour of the background, where images have colours
 */
export function imageOf(
  strokes: readonly PenStroke[],
  brush: number,
  target: PadTarget,
  paper: string,
): Uint8Array | undefined {
  sheet ??= new OffscreenCanvas(SHEET, SHEET).getContext('2d', { willReadFrequently: true });
  if (!sheet || strokes.length === 0) return undefined;
  sheet.clearRect(0, 0, SHEET, SHEET);
  const colour = isColour(target);
  if (colour) {
    sheet.fillStyle = paper;
    sheet.fillRect(0, 0, SHEET, SHEET);
  }
  const width = !colour && isMnistSized(target.shape) ? widthToFit(strokes, brush) : brush;
  drawStrokes(sheet, strokes, SHEET, width, colour ? undefined : '#000');
  return imageOfSheet(sheet.getImageData(0, 0, SHEET, SHEET).data, SHEET, target);
}

/**
 * The drawing as an image like those of the data set.
 * @param rgba side x side pixels; without colours, the opacity is the ink
 * @returns C x H x W bytes; undefined for a digit without ink
 */
export function imageOfSheet(
  rgba: Uint8ClampedArray,
  side: number,
  target: PadTarget,
): Uint8Array | undefined {
  if (isColour(target)) return resized({ data: rgba, width: side, height: side }, target.shape);
  const ink = new Uint8Array(side * side);
  for (let i = 0; i < ink.length; i++) ink[i] = rgba[4 * i + 3];
  const [, height, width] = target.shape;
  const image = isMnistSized(target.shape)
    ? normaliseDrawing(ink, side)
    : resizedPlane({ data: ink, width: side, height: side }, height, width);
  // Black on white, as in a data set that is.
  return target.ground === 'light' ? image?.map((level) => 255 - level) : image;
}

const isMnistSized = ([, height, width]: Shape): boolean => height === 28 && width === 28;
