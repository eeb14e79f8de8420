import { useEffect, useRef } from 'react';
import { drawTile } from '../components/Tile.tsx';
import styles from './PadPanel.module.css';
import { usePad } from './pad-store.ts';

/** The image exactly as it enters the network: brighter is more. */
export function NetworkView() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const image = usePad((state) => state.image);
  const shape = usePad((state) => state.shape);
  const [, height, width] = shape;
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, width, height);
    if (!image) return;
    drawTile(context, image, shape, 0, 0, [255, 255, 255]);
    // White ink of varying strength, over black.
    context.globalCompositeOperation = 'destination-over';
    context.fillRect(0, 0, width, height);
    context.globalCompositeOperation = 'source-over';
  }, [image, shape, width, height]);
  return (
    <figure className={styles.view}>
      <canvas
        ref={canvas}
        width={width}
        height={height}
        data-blank={!image || undefined}
        role="img"
        aria-label="The image as the network gets it"
      />
      <figcaption>
        As the network
        <br />
        gets it: {height} × {width}
      </figcaption>
    </figure>
  );
}
