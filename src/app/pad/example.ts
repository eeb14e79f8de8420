import type { PenStroke } from './drawing.ts';

/** Points along an arc. @param from in degrees, clockwise from the right */
const arc = (x: number, y: number, width: number, height: number, from: number, to: number): number[] =>
  Array.from({ length: 33 }, (_, i) => {
    const angle = ((from + ((to - from) * i) / 32) * Math.PI) / 180;
    return [x + width * Math.cos(angle), y + height * Math.sin(angle)];
  }).flat();

/** A 3, as if somebody had just drawn it. */
export const EXAMPLE: readonly PenStroke[] = [
  {
    points: [...arc(0.49, 0.33, 0.15, 0.15, -155, 85), ...arc(0.48, 0.66, 0.18, 0.18, -85, 155)],
    colour: '#000000',
  },
];
