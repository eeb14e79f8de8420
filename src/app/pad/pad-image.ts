import type { Shape } from '../../base/shape.ts';
import { askAgain } from './live-prediction.ts';
import { imageOf, type PenStroke } from './drawing.ts';
import { EXAMPLE } from './example.ts';
import { DIGITS, type PadTarget } from './target.ts';
import { usePad } from './pad-store.ts';

/**
 * Puts a ready image on the pad, in place of a drawing, as it is; undefined clears the pad.
 * @param origin where it comes from, for people: "Test image 12, a 7"
 */
export function showOnPad(
  image: Uint8Array | undefined,
  shape: Shape = DIGITS.shape,
  origin?: string,
  source: 'file' | 'sample' = 'sample',
): void {
  const unanswered = image ? {} : { prediction: undefined, error: undefined };
  usePad.setState({ image, source, shape, origin, strokes: [], isExample: false, ...unanswered });
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

/** Whether the pad waits for something of a data set: nobody has put anything on it, and this is not what lies there. */
export function isExampleWanted(dataset: string): boolean {
  const { image, isExample, exampleOf } = usePad.getState();
  return exampleOf !== dataset && (!image || isExample);
}

/** Lays an example on the pad, if it waits for one. */
export function showExample(dataset: string, show: () => void): void {
  if (!isExampleWanted(dataset)) return;
  show();
  usePad.setState({ isExample: true, exampleOf: dataset });
}

/** A digit as if it had been drawn. */
export const drawExample = (drawing: Drawing): void => showDrawing(EXAMPLE, drawing);
