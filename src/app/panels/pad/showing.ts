import { useApp } from '../../state/store.ts';
import { askAgain } from './asking.ts';

/** Puts a ready image on the pad, in place of a drawing, as it is; undefined clears the pad. */
export function showOnPad(image: Uint8Array | undefined): void {
  useApp.getState().setPadImage(image, 'sample');
  askAgain();
}

/** Takes what was drawn on the pad as the image to answer for. */
export function takeDrawing(image: Uint8Array | undefined): void {
  useApp.getState().setPadImage(image, 'drawing');
  askAgain();
}
