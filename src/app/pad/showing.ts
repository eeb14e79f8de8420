import type { Shape } from '../../base/shape.ts';
import { askAgain } from './asking.ts';
import { DIGITS } from './target.ts';
import { usePad } from './pad-store.ts';

/**
 * Puts a ready image on the pad, in place of a drawing, as it is; undefined clears the pad.
 * @param origin where it comes from, for people: "Test image 12, a 7"
 */
export function showOnPad(image: Uint8Array | undefined, shape: Shape = DIGITS.shape, origin?: string): void {
  setImage(image, 'sample', shape, origin);
}

/** Takes the drawing on the pad as the image to predict. */
export function takeDrawing(image: Uint8Array | undefined, shape: Shape): void {
  setImage(image, 'drawing', shape);
}

function setImage(
  image: Uint8Array | undefined,
  source: 'drawing' | 'sample',
  shape: Shape,
  origin?: string,
): void {
  const unanswered = image ? {} : { prediction: undefined, error: undefined };
  usePad.setState({ image, source, shape, origin, ...unanswered });
  askAgain();
}
