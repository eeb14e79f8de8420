/** Pictures from elsewhere, made into what the network knows. */
import type { Rgb } from '../components/use-ink.ts';
import { resized, type Plane } from './area.ts';
import { normaliseDrawing } from './normalise.ts';
import { isColour, type PadTarget } from './target.ts';

export interface PadPicture {
  /** Four bytes a pixel: red, green, blue, opacity. */
  rgba: Uint8ClampedArray;
  width: number;
  height: number;
}

/** As in grey-scale data sets, the object is bright and the background black. */
export type Ground = 'dark' | 'light';

/** Ink fainter than this share of the strongest is noise of the paper. */
const FAINT = 0.25;

/** The colour planes of a picture, over a background where it is transparent. */
function planesOf({ rgba, width, height }: PadPicture, ground: Rgb): [Plane, Plane, Plane] {
  const plane = (channel: 0 | 1 | 2): Plane => {
    const data = new Float32Array(width * height);
    for (let i = 0; i < data.length; i++) {
      const opacity = rgba[4 * i + 3] / 255;
      data[i] = rgba[4 * i + channel] * opacity + ground[channel] * (1 - opacity);
    }
    return { data, width, height };
  };
  return [plane(0), plane(1), plane(2)];
}

/** How bright each pixel looks (Rec. 709), 0 to 255. */
function luminance([red, green, blue]: readonly [Plane, Plane, Plane]): Float32Array {
  return Float32Array.from(
    { length: red.data.length },
    (_, i) => 0.2126 * red.data[i] + 0.7152 * green.data[i] + 0.0722 * blue.data[i],
  );
}

/** The background of a grey-scale picture, from its edge. */
export function groundOf(grey: ArrayLike<number>, width: number, height: number): Ground {
  return edgeLevel(grey, width, height) > 127 ? 'light' : 'dark';
}

/** The median along the edge. */
function edgeLevel(grey: ArrayLike<number>, width: number, height: number): number {
  const edge: number[] = [];
  for (let i = 0; i < width * height; i++) {
    const [row, column] = [Math.floor(i / width), i % width];
    if (row === 0 || column === 0 || row === height - 1 || column === width - 1) edge.push(grey[i]);
  }
  return edge.sort((a, b) => a - b)[edge.length >> 1];
}

/**
 * A picture as the network is to get it: colour channels by themselves; grey ones bright on black, and digits in the
 * size and place that their data sets have them in.
 * @param picture a square, or of the shape's own proportions
 * @returns C x H x W bytes, and what the picture was taken to lie on if that mattered
 */
export function imageOfPicture(
  picture: PadPicture,
  target: PadTarget,
): { image: Uint8Array; ground?: Ground } {
  const planes = planesOf(picture, [255, 255, 255]);
  const [channels, height, width] = target.shape;
  if (isColour(target)) {
    const parts = planes.map((plane) => resized(plane, height, width));
    const image = new Uint8Array(channels * height * width);
    parts.forEach((part, channel) => image.set(part, channel * height * width));
    return { image };
  }
  const grey = luminance(planes);
  const ground = groundOf(grey, picture.width, picture.height);
  const bright = ground === 'light' ? grey.map((level) => 255 - level) : grey;
  if (target.digits && picture.width === picture.height) {
    const digit = normaliseDrawing(inkOf(bright, picture.width), picture.width);
    return { image: digit ?? new Uint8Array(height * width), ground };
  }
  return { image: resized({ ...picture, data: bright }, height, width), ground };
}

/** The contrast with the background, in bytes. */
function inkOf(bright: Float32Array, side: number): Uint8Array {
  const level = edgeLevel(bright, side, side);
  const most = bright.reduce((a, b) => Math.max(a, b), 0) - level;
  if (most <= 0) return new Uint8Array(bright.length);
  return Uint8Array.from(bright, (value) => {
    const share = (value - level) / most;
    return share < FAINT ? 0 : Math.round(255 * Math.min(1, (share - FAINT) / (1 - FAINT) / 0.6));
  });
}
