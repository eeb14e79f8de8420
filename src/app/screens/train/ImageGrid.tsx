import { useEffect, useRef, type MouseEvent } from 'react';
import type { ImageSamples } from '../../../worker/api.ts';
import { drawTile, imageAt } from '../../components/Tile.tsx';
import { useInk } from '../../components/use-ink.ts';
import { showOnPad } from '../../pad/pad-image.ts';
import { train as texts } from '../../messages/en/train.tsx';
import styles from './Data.module.css';

const COLUMNS = 8;
const GAP = 4;

export interface ImageGridProps {
  samples: ImageSamples;
  classes: string[];
  rows?: number;
}

/** Images in rows; a selected one goes to the pad. */
export function ImageGrid({ samples, classes, rows = 5 }: ImageGridProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const ink = useInk();
  const shown = Math.min(samples.labels.length, COLUMNS * rows);
  const [, height, width] = samples.shape;
  const across = COLUMNS * (width + GAP) - GAP;
  const down = Math.ceil(shown / COLUMNS) * (height + GAP) - GAP;

  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, across, down);
    for (let i = 0; i < shown; i++) {
      const x = (i % COLUMNS) * (width + GAP);
      const y = Math.floor(i / COLUMNS) * (height + GAP);
      drawTile(context, imageAt(samples, i), samples.shape, x, y, ink);
    }
  }, [samples, shown, ink, across, down, width, height]);

  const clicked = (event: MouseEvent<HTMLCanvasElement>) => {
    const bounds = event.currentTarget.getBoundingClientRect();
    const column = Math.floor(((event.clientX - bounds.left) / bounds.width) * COLUMNS);
    const row = Math.floor(((event.clientY - bounds.top) / bounds.height) * Math.ceil(shown / COLUMNS));
    const index = row * COLUMNS + column;
    if (index < shown) showOnPad(imageAt(samples, index), samples.shape);
  };
  const labels = Array.from(samples.labels.subarray(0, shown), (label) => classes[label]).join(', ');
  return (
    <canvas
      ref={canvas}
      className={styles.samples}
      width={across}
      height={down}
      role="img"
      aria-label={texts.data.images(shown, labels)}
      title={texts.data.toPad}
      onClick={clicked}
    />
  );
}
