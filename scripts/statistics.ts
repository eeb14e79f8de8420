import { elements, type Shape } from '../src/base/shape.ts';

/**
 * Mean and deviation of each channel, of pixels scaled to [0, 1].
 * @param images [N, C, H, W]
 * @param shape [C, H, W]
 */
export function statistics(images: Uint8Array, shape: Shape): { mean: number; std: number }[] {
  const [channels] = shape;
  const area = elements(shape) / channels;
  return Array.from({ length: channels }, (_, channel) => {
    let [sum, squares, count] = [0, 0, 0];
    for (let plane = channel * area; plane < images.length; plane += channels * area) {
      for (let i = plane; i < plane + area; i++, count++) {
        sum += images[i];
        squares += images[i] * images[i];
      }
    }
    const mean = sum / count;
    return { mean: mean / 255, std: Math.sqrt(squares / count - mean * mean) / 255 };
  });
}
