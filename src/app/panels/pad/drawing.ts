import { normaliseDrawing } from './normalise.ts';

/** A stroke: x and y in turn, each 0 to 1 across the pad. */
export type Stroke = number[];

/** The sheet that ink is measured on: ten of its pixels to one of the network's. */
const SHEET = 280;

/**
 * Draws strokes with round ends onto a square.
 *
 * @param side of the square, in the context's pixels
 * @param brush width of the line, as a share of the side
 */
export function drawStrokes(
  context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  strokes: readonly Stroke[],
  side: number,
  brush: number,
): void {
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.lineWidth = brush * side;
  for (const stroke of strokes) {
    context.beginPath();
    context.moveTo(stroke[0] * side, stroke[1] * side);
    // A line to almost where it starts makes a dot of a single touch; lines of no length are not drawn.
    if (stroke.length === 2) context.lineTo(stroke[0] * side + 0.01, stroke[1] * side);
    for (let i = 2; i < stroke.length; i += 2) context.lineTo(stroke[i] * side, stroke[i + 1] * side);
    context.stroke();
  }
}

let sheet: OffscreenCanvasRenderingContext2D | null | undefined;

/** The strokes as a 28 x 28 image the way the network knows digits; undefined if there is no ink. */
export function imageOf(strokes: readonly Stroke[], brush: number): Uint8Array | undefined {
  sheet ??= new OffscreenCanvas(SHEET, SHEET).getContext('2d', { willReadFrequently: true });
  if (!sheet) return undefined;
  sheet.clearRect(0, 0, SHEET, SHEET);
  sheet.strokeStyle = '#000';
  drawStrokes(sheet, strokes, SHEET, brush);
  const { data } = sheet.getImageData(0, 0, SHEET, SHEET);
  // Opacity is the ink.
  const ink = new Uint8Array(SHEET * SHEET);
  for (let i = 0; i < ink.length; i++) ink[i] = data[4 * i + 3];
  return normaliseDrawing(ink, SHEET);
}
