/** The drawing in the sparkline of phones. */
import { onThemeChange } from '../../components/use-ink.ts';
import { token } from '../../charts/curve/token.ts';
import { isLikeRecorded } from '../../charts/curve/recorded.ts';
import { live } from '../../metrics/live.ts';
import { useApp } from '../../state/store.ts';

/**
 * Draws the loss curve of the run, before the first run that of a recorded one like it, and draws it again when it changes.
 * @returns ends that
 */
export function drawSparkline(canvas: HTMLCanvasElement): () => void {
  let recorded: readonly number[] | undefined;
  // Read before anything waits for a theme, it is forgotten before the curve is painted in a new one.
  token('--series-train');
  const paint = () => {
    const context = canvas.getContext('2d');
    if (!context || canvas.clientWidth === 0) return;
    const scale = devicePixelRatio;
    canvas.width = canvas.clientWidth * scale;
    canvas.height = canvas.clientHeight * scale;
    const { points, count } = live.curve;
    if (count > 1) {
      const steps = points.step.subarray(0, count);
      paintLoss(context, scale, steps, points.smoothLoss.subarray(0, count));
    } else if (!isLikeRecorded(useApp.getState())) return;
    else if (recorded) {
      const steps = recorded.map((_, i) => i + 1);
      context.globalAlpha = 0.4;
      paintLoss(context, scale, steps, recorded);
    } else void loadRecorded();
  };
  const loadRecorded = async () => {
    ({ loss: recorded } = await import('../../charts/curve/recorded-run.json'));
    paint();
  };
  // Called at once, and when a phone is turned.
  const observer = new ResizeObserver(paint);
  observer.observe(canvas);
  const stops = [
    live.subscribe(paint),
    useApp.subscribe((state, before) => state.settings !== before.settings && paint()),
    onThemeChange(paint),
    () => observer.disconnect(),
  ];
  return () => stops.forEach((stop) => stop());
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
