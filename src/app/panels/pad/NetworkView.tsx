import { useEffect, useRef } from 'react';
import { useApp } from '../../state/store.ts';
import { drawTile } from '../data/tile.ts';
import styles from './PadPanel.module.css';

/** The image exactly as it enters the network: 28 x 28, brighter is more. */
export function NetworkView() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const image = useApp((state) => state.padImage);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, 28, 28);
    if (!image) return;
    drawTile(context, image, [1, 28, 28], 0, 0, [255, 255, 255]);
    // White ink of varying strength, over black.
    context.globalCompositeOperation = 'destination-over';
    context.fillRect(0, 0, 28, 28);
    context.globalCompositeOperation = 'source-over';
  }, [image]);
  return (
    <figure className={styles.view}>
      <canvas
        ref={canvas}
        width={28}
        height={28}
        data-blank={!image || undefined}
        role="img"
        aria-label="The image as the network gets it"
      />
      <figcaption>
        As the network
        <br />
        gets it: 28 × 28
      </figcaption>
    </figure>
  );
}
