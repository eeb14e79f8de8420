/** Pictures from elsewhere, made into what the network knows. */
import type { Rgb } from '../components/use-ink.ts';
import { resized, type Plane } from '../../base/area.ts';
import { edgeLevel, inkOf } from '../../base/ink.ts';
import { isColour, type PadTarget } from './target.ts';

export interface PadPicture {
  /** Four bytes a pixel: red, green, blue, opacity. */
  rgba: Uint8ClampedArray;
  width: number;
  height: number;
}

/** As in grey-scale data sets, the object is bright and the background black. */
export type Ground = 'dark' | 'light';

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

/**
 * A picture as the network is to get it: colour channels by themselves; grey ones bright on black, and digits without the
 * paper's noise. What it shows stays where it is.
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
  const data = target.digits && picture.width === picture.height ? inkOf(bright, picture.width) : bright;
  return { image: resized({ ...picture, data }, height, width), ground };
}
