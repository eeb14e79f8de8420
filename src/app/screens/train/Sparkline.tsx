import { useEffect, useRef, type ReactNode } from 'react';
import styles from './Train.module.css';

/** The loss curve at a glance, and what comes next: stays in view on a phone. Before the first run, a recorded one. */
export function Sparkline({ children }: { children: ReactNode }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => (canvas.current ? drawWhenShown(canvas.current) : undefined), []);
  return (
    <figure className={styles.sparkline}>
      <canvas ref={canvas} aria-hidden="true" />
      <figcaption>{children}</figcaption>
    </figure>
  );
}

/** Larger windows hide it: what draws it is fetched when it is first shown, at once or when a window gets narrow. */
function drawWhenShown(canvas: HTMLCanvasElement): () => void {
  let ended = false;
  let stop: (() => void) | undefined;
  const draw = async () => {
    const { drawSparkline } = await import('./sparkline.ts');
    if (!ended) stop = drawSparkline(canvas);
  };
  const observer = new ResizeObserver(() => {
    if (canvas.clientWidth === 0) return;
    observer.disconnect();
    void draw();
  });
  observer.observe(canvas);
  return () => {
    ended = true;
    observer.disconnect();
    stop?.();
  };
}
