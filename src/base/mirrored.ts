/** The place, of `size` along an axis, that an image mirrored at its edges shows at `place`; the edges are not repeated. */
export const mirrored = (place: number, size: number): number =>
  size - 1 - Math.abs(size - 1 - Math.abs(place));
