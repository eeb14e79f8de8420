import { CHANNELS, SIZE } from './draw.ts';

/** Mean and deviation of each channel, of pixels scaled to [0, 1]. */
export function statistics(images: Uint8Array): { mean: number; std: number }[] {
  const area = SIZE * SIZE;
  return Array.from({ length: CHANNELS }, (_, channel) => {
    let [sum, squares, count] = [0, 0, 0];
    for (let plane = channel * area; plane < images.length; plane += CHANNELS * area) {
      for (let i = plane; i < plane + area; i++, count++) {
        sum += images[i];
        squares += images[i] * images[i];
      }
    }
    const mean = sum / count;
    return { mean: mean / 255, std: Math.sqrt(squares / count - mean * mean) / 255 };
  });
}
