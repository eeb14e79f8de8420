import type { Shape } from '../../../base/shape.ts';
import { useApp } from '../../state/store.ts';
import { askAgain } from './asking.ts';

/** What drawings are made into. */
const DRAWN: Shape = [1, 28, 28];

/** Puts a ready image on the pad, in place of a drawing, as it is; undefined clears the pad. */
export function showOnPad(image: Uint8Array | undefined, shape: Shape = DRAWN): void {
  useApp.getState().setPadImage(image, 'sample', shape);
  askAgain();
}

/** Takes what was drawn on the pad as the image to answer for. */
export function takeDrawing(image: Uint8Array | undefined): void {
  useApp.getState().setPadImage(image, 'drawing', DRAWN);
  askAgain();
}
