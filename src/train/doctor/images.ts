/** Compares images of a set by their bytes. */

/** A hash of an image: 53 bits of two hashes (FNV-1a, and a similar one). */
function hashOf(bytes: Uint8Array): number {
  let [a, b] = [0x811c9dc5, 0x9e3779b9];
  for (const byte of bytes) {
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul((b << 5) ^ (b >>> 27) ^ byte, 0x85ebca6b);
  }
  return (a >>> 0) * 2 ** 21 + (b >>> 11);
}

/** Finds images that occurred before, byte by byte. */
export class ImageIndex {
  private readonly first = new Map<number, Uint8Array>();

  get count(): number {
    return this.first.size;
  }

  has(image: Uint8Array): boolean {
    const known = this.first.get(hashOf(image));
    return known !== undefined && known.every((byte, i) => byte === image[i]);
  }

  /** Returns true if it is new. */
  add(image: Uint8Array): boolean {
    if (this.has(image)) return false;
    this.first.set(hashOf(image), image);
    return true;
  }
}

/** The images of a set, one after the other, without copying. */
export function* imagesOf(images: Uint8Array, count: number): Generator<Uint8Array> {
  const size = images.length / count;
  for (let i = 0; i < count; i++) yield images.subarray(i * size, (i + 1) * size);
}
