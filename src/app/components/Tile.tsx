import { useEffect, useRef } from 'react';
import { groundOf } from '../../base/pixels/ground.ts';
import { elements, type Shape } from '../../base/shape.ts';
import type { ImageSamples } from '../../worker/api.ts';
import styles from './Tile.module.css';
import { useInk, type Rgb } from './use-ink.ts';

interface TileProps {
  /** C x H x W bytes. */
  image: Uint8Array;
  shape: Shape;
  className?: string | undefined;
}

/** One image at one canvas pixel per image pixel. Words stand beside it, so it is hidden from screen readers. */
export function Tile({ image, shape, className }: TileProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const ink = useInk();
  const [, height, width] = shape;
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context) drawTile(context, image, shape, 0, 0, ink);
  }, [image, shape, ink]);
  return <canvas ref={canvas} className={className} width={width} height={height} aria-hidden="true" />;
}

interface TileButtonProps extends Pick<TileProps, 'image' | 'shape'> {
  /** A description of the image, for screen readers and as a tooltip. */
  title: string;
  caption: string;
  /** Something short at the right of the caption. */
  note?: string;
  onPress(): void;
}

/** One image with a caption, to select. */
export function TileButton({ image, shape, title, caption, note, onPress }: TileButtonProps) {
  return (
    <button type="button" className={styles.button} title={title} onClick={onPress}>
      <Tile image={image} shape={shape} className={styles.picture} />
      <span className="unseen">{title}</span>
      <span className={styles.caption} aria-hidden="true">
        {caption}
      </span>
      {note !== undefined && (
        <span className={styles.note} aria-hidden="true">
          {note}
        </span>
      )}
    </button>
  );
}

/**
 * Paints one image. A single channel on a dark ground is painted as ink of the given colour, as strong as the byte, so that it
 * reads on light and dark paper; other ones are shown as they are; three channels are red, green and blue.
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
  const isInk = channels === 1 && groundOf(image, width, height) === 'dark';
  const plane = channels === 1 ? 0 : area;
  for (let i = 0; i < area; i++) {
    if (isInk) pixels.data.set([...ink, image[i]], 4 * i);
    else pixels.data.set([image[i], image[plane + i], image[2 * plane + i], 255], 4 * i);
  }
  context.putImageData(pixels, x, y);
}

/** A copy of the bytes of one image. */
export function imageAt(
  { images, shape }: Pick<ImageSamples, 'images' | 'shape'>,
  index: number,
): Uint8Array {
  const size = elements(shape);
  return images.slice(index * size, (index + 1) * size);
}
