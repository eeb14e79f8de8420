import { useEffect, useRef } from 'react';
import type { Shape } from '../../../../base/shape.ts';
import { useInk } from '../../../components/use-ink.ts';
import { drawTile } from './tile.ts';

interface TileProps {
  /** C x H x W bytes. */
  image: Uint8Array;
  shape: Shape;
  className?: string;
}

/** One image, a pixel to a pixel; a picture beside words, so hidden from screen readers. */
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
