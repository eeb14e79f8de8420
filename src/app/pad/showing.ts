import type { Shape } from '../../base/shape.ts';
import { askAgain } from './asking.ts';
import { imageOf, type PenStroke } from './drawing.ts';
import { EXAMPLE } from './example.ts';
import { DIGITS, type PadTarget } from './target.ts';
import { usePad } from './pad-store.ts';

/**
 * Puts a ready image on the pad, in place of a drawing, as it is; undefined clears the pad.
 * @param origin where it comes from, for people: "Test image 12, a 7"
 */
export function showOnPad(image: Uint8Array | undefined, shape: Shape = DIGITS.shape, origin?: string): void {
  const unanswered = image ? {} : { prediction: undefined, error: undefined };
  usePad.setState({ image, source: 'sample', shape, origin, strokes: [], isExample: false, ...unanswered });
  askAgain();
}

/** How a drawing becomes an image: the width of the line as a share of the pad, and the paper where images have colours. */
export interface Drawing {
  brush: number;
  target: PadTarget;
  paper: string;
}

/** Puts strokes on the pad, and takes them as the image to predict. */
export function showDrawing(strokes: readonly PenStroke[], { brush, target, paper }: Drawing): void {
  const image = imageOf(strokes, brush, target, paper);
  const { shape } = target;
  usePad.setState({ strokes, isExample: false, image, source: 'drawing', shape, origin: undefined });
  askAgain();
}

let isExampleShown = false;

/** Lays a digit on the pad that nobody has drawn on yet, once. */
export function showExample(drawing: Drawing): void {
  if (isExampleShown || usePad.getState().image) return;
  isExampleShown = true;
  showDrawing(EXAMPLE, drawing);
  usePad.setState({ isExample: true });
}
