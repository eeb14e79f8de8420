import { elements, type Shape } from '../../../../base/shape.ts';
import type { Rgb } from '../../../components/use-ink.ts';

/** Bytes of one image. */
export const tileSize = (shape: Shape): number => elements(shape);

/**
 * Paints one image. A single channel is painted as ink of the given colour, as strong as the byte, so that it reads on
 * light and dark paper; three channels are red, green and blue.
 */
export function drawTile(
  context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  image: Uint8Array,
  shape: Shape,
  x: number,
  y: number,
  ink: Rgb,
): void {
  const [channels, height, width] = shape;
  const area = height * width;
  const pixels = context.createImageData(width, height);
  for (let i = 0; i < area; i++) {
    if (channels === 1) pixels.data.set([...ink, image[i]], 4 * i);
    else pixels.data.set([image[i], image[area + i], image[2 * area + i], 255], 4 * i);
  }
  context.putImageData(pixels, x, y);
}
