/** What the object of a grey image lies on: black, as in MNIST, or white, as on paper. */

export type Ground = 'dark' | 'light';

/** The share of the edge that must be the same: an object may reach it. */
const MOST_OF_EDGE = 0.6;
/** The share that must be bright or dark by itself where the object hardly differs from its ground. */
const NEARLY_ALL = 0.9;
const MIDDLE = 127.5;
/** The share of a data set's images that must have one ground. */
const MOST_IMAGES = 0.9;

/** Places of the pixels along the edge. */
export function edgeOf(width: number, height: number): number[] {
  const places: number[] = [];
  for (let i = 0; i < width * height; i++) {
    const [row, column] = [Math.floor(i / width), i % width];
    if (row === 0 || column === 0 || row === height - 1 || column === width - 1) places.push(i);
  }
  return places;
}

/** The ground of an image, by its edge; undefined if that is neither. */
export function groundOf(
  grey: ArrayLike<number>,
  width: number,
  height: number,
  edge = edgeOf(width, height),
): Ground | undefined {
  let [least, most] = [255, 0];
  for (let i = 0; i < width * height; i++) {
    least = Math.min(least, grey[i]);
    most = Math.max(most, grey[i]);
  }
  const share = (level: number) => edge.filter((i) => grey[i] > level).length / edge.length;
  const brighter = share((least + most) / 2);
  if (most > least && brighter >= MOST_OF_EDGE) return 'light';
  if (most > least && brighter <= 1 - MOST_OF_EDGE) return 'dark';
  const bright = share(MIDDLE);
  return bright >= NEARLY_ALL ? 'light' : bright <= 1 - NEARLY_ALL ? 'dark' : undefined;
}

/**
 * The ground that at least 90 % of a set's images have; undefined if there is none, and for colours, where it may mean something.
 * @param images each C x H x W bytes
 */
export function commonGround(images: readonly Uint8Array[], shape: readonly number[]): Ground | undefined {
  const [channels, height, width] = shape;
  if (channels !== 1) return undefined;
  const edge = edgeOf(width, height);
  const counts = { dark: 0, light: 0 };
  for (const image of images) {
    const ground = groundOf(image, width, height, edge);
    if (ground) counts[ground]++;
  }
  const enough = MOST_IMAGES * images.length;
  return counts.dark >= enough ? 'dark' : counts.light >= enough ? 'light' : undefined;
}
