import { elements, type Shape } from '../../../base/shape.ts';

interface Normalised {
  /** [C, H, W] */
  shape: Shape;
  /** Mean and standard deviation per channel with which pixels in [0, 1] were normalised. */
  mean: readonly number[];
  std: readonly number[];
}

/** Undoes the normalisation: bytes of the original pixels, clipped to black and white. */
export function denormalised(images: Float32Array, { shape, mean, std }: Normalised): Uint8Array {
  const plane = elements(shape.slice(1));
  return Uint8Array.from(images, (value, i) => {
    const channel = Math.floor(i / plane) % shape[0];
    return Math.round(255 * Math.max(0, Math.min(1, value * std[channel] + mean[channel])));
  });
}

export interface Moments {
  least: number;
  most: number;
  mean: number;
  /** Standard deviation. */
  deviation: number;
}

export function momentsOf(values: Float32Array): Moments {
  let [least, most, sum, squares] = [Infinity, -Infinity, 0, 0];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
    sum += value;
    squares += value * value;
  }
  const mean = sum / values.length;
  return { least, most, mean, deviation: Math.sqrt(Math.max(0, squares / values.length - mean * mean)) };
}
