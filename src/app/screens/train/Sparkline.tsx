import { useEffect, useRef } from 'react';
import { onThemeChange } from '../../components/use-ink.ts';
import { token } from '../../charts/curve/token.ts';
import { live } from '../../metrics/live.ts';
import { Forecast } from './Forecast.tsx';
import styles from './Train.module.css';

/** The loss curve at a glance, and what comes next: stays in view on a phone. Before the first run, a recorded one. */
export function Sparkline() {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let recorded: readonly number[] | undefined;
    const paint = () => {
      const element = canvas.current;
      const context = element?.getContext('2d');
      if (!element || !context || element.clientWidth === 0) return;
      const scale = devicePixelRatio;
      element.width = element.clientWidth * scale;
      element.height = element.clientHeight * scale;
      const { points, count } = live.curve;
      if (count > 1) {
        const steps = points.step.subarray(0, count);
        paintLoss(context, scale, steps, points.smoothLoss.subarray(0, count));
      } else if (recorded) {
        context.globalAlpha = 0.4;
        paintLoss(
          context,
          scale,
          recorded.map((_, i) => i + 1),
          recorded,
        );
      } else void loadRecorded();
    };
    const loadRecorded = async () => {
      ({ smoothLoss: recorded } = await import('../../charts/curve/recorded-run.json'));
      paint();
    };
    // Called at once, and when a phone is turned or a window gets narrow.
    const observer = new ResizeObserver(paint);
    if (canvas.current) observer.observe(canvas.current);
    const stops = [live.subscribe(paint), onThemeChange(paint), () => observer.disconnect()];
    return () => stops.forEach((stop) => stop());
  }, []);
  return (
    <figure className={styles.sparkline}>
      <canvas ref={canvas} aria-hidden="true" />
      <figcaption>
        <Forecast />
      </figcaption>
    </figure>
  );
}

/** A curve of the loss, from 0 to its largest value. */
function paintLoss(
  context: CanvasRenderingContext2D,
  scale: number,
  steps: ArrayLike<number>,
  values: ArrayLike<number>,
): void {
  const { width, height } = context.canvas;
  const count = values.length;
  let most = 0;
  for (let i = 0; i < count; i++) most = Math.max(most, values[i]);
  context.strokeStyle = token('--series-train');
  context.lineWidth = 2 * scale;
  context.lineJoin = 'round';
  context.beginPath();
  const every = Math.max(1, Math.floor(count / width));
  for (let i = 0; i < count; i += every) {
    const x = (steps[i] / steps[count - 1]) * width;
    context.lineTo(x, height - scale - (values[i] / most) * (height - 4 * scale));
  }
  context.stroke();
}
