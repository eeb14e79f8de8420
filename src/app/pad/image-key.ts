const keys = new WeakMap<Uint8Array, number>();
let next = 0;

/** A number that stands for an image, by identity: images are never changed in place. */
export function keyOf(image: Uint8Array): number {
  const known = keys.get(image);
  if (known !== undefined) return known;
  keys.set(image, ++next);
  return next;
}
