import { useEffect, useRef } from 'react';
import { onThemeChange } from '../../components/use-ink.ts';
import { token } from '../../charts/curve/token.ts';
import { live } from '../../metrics/live.ts';
import { Forecast } from './Forecast.tsx';
import styles from './Train.module.css';

/** The course of the loss at a glance, and what comes next: what stays in view on a phone. */
export function Sparkline() {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const paint = () => {
      const element = canvas.current;
      const context = element?.getContext('2d');
      if (!element || !context || element.clientWidth === 0) return;
      const scale = devicePixelRatio;
      element.width = element.clientWidth * scale;
      element.height = element.clientHeight * scale;
      paintLoss(context, element.width, element.height, scale);
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

/** The smoothed loss over the whole run, from 0 to its largest value. */
function paintLoss(context: CanvasRenderingContext2D, width: number, height: number, scale: number): void {
  const { points, count } = live.curve;
  if (count < 2) return;
  const values = points.smoothLoss.subarray(0, count);
  const most = values.reduce((a, b) => (b > a ? b : a), 0);
  const last = points.step[count - 1];
  context.strokeStyle = token('--series-train');
  context.lineWidth = 2 * scale;
  context.lineJoin = 'round';
  context.beginPath();
  const every = Math.max(1, Math.floor(count / width));
  for (let i = 0; i < count; i += every) {
    const x = (points.step[i] / last) * width;
    context.lineTo(x, height - scale - (values[i] / most) * (height - 4 * scale));
  }
  context.stroke();
}
