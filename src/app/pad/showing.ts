import type { Shape } from '../../base/shape.ts';
import { useApp } from '../state/store.ts';
import { askAgain } from './asking.ts';
import { DIGITS } from './target.ts';

/**
 * Puts a ready image on the pad, in place of a drawing, as it is; undefined clears the pad.
 * @param origin where it comes from, for people: "Test image 12, a 7"
 */
export function showOnPad(image: Uint8Array | undefined, shape: Shape = DIGITS.shape, origin?: string): void {
  useApp.getState().setPadImage(image, 'sample', shape, origin);
  askAgain();
}

/** Takes what was drawn on the pad as the image to answer for. */
export function takeDrawing(image: Uint8Array | undefined, shape: Shape): void {
  useApp.getState().setPadImage(image, 'drawing', shape);
  askAgain();
}
