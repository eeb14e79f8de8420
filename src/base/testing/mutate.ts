import type { Random } from '../random.ts';

const join = (...parts: Uint8Array[]) => Uint8Array.from(Buffer.concat(parts));

/** One seeded change: flipped bits, a cut, bytes moved over others, or a length field set to a critical value. */
export function mutate(original: Uint8Array, random: Random): Uint8Array<ArrayBuffer> {
  let file = Uint8Array.from(original);
  const changes = 1 + random.below(3);
  for (let i = 0; i < changes; i++) {
    if (file.length === 0) return file;
    const at = random.below(file.length);
    switch (random.below(5)) {
      case 0:
        file[at] ^= 1 << random.below(8);
        break;
      case 1:
        file = file.slice(0, at);
        break;
      case 2:
        file = join(file.slice(0, at), file.slice(random.below(file.length)));
        break;
      case 3:
        file.copyWithin(at, random.below(file.length), random.below(file.length));
        break;
      default: {
        const telling = [0, 1, 0x7f, 0x80, 0xff, file.length & 0xff];
        // Close to the start and the end, where headers and trailers are.
        const near =
          random.below(2) === 0
            ? random.below(Math.min(file.length, 40))
            : file.length - 1 - random.below(Math.min(file.length, 8));
        file.fill(telling[random.below(telling.length)], near, near + 1 + random.below(4));
      }
    }
  }
  return file;
}
