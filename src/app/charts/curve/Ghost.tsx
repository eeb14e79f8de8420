import { useApp } from '../../state/store.ts';
import styles from './Ghost.module.css';
import { isLikeRecorded } from './recorded.ts';
import run from './recorded-run.json';

interface GhostProps {
  /** The metric whose course is shown. */
  of: 'loss' | 'accuracy';
  formatTick(value: number): string;
}

const STEPS = [0, 50, 100, 150];
const TICKS = { loss: [0, 1, 2], accuracy: [0, 0.5, 1] };
/** The highest value of the axis, as the plot would have it. */
const AXIS_END = { loss: 2.45, accuracy: 1 };

/** Axes, and the course of a recorded run if the next one will look like it: smoothed and faint. Made by `npm run recorded`. */
export function Ghost({ of, formatTick }: GhostProps) {
  const isLike = useApp(isLikeRecorded);
  const last = STEPS[STEPS.length - 1];
  const points = run[of].map((value, i) => `${(100 * (i + 1)) / last},${100 * (1 - value / AXIS_END[of])}`);
  return (
    <div className={styles.ghost} aria-hidden="true">
      <svg viewBox="0 0 100 100" preserveAspectRatio="none">
        {TICKS[of].map((tick) => (
          <line
            key={tick}
            x2="100"
            y1={100 * (1 - tick / AXIS_END[of])}
            y2={100 * (1 - tick / AXIS_END[of])}
          />
        ))}
        {STEPS.map((step) => (
          <line key={step} y2="100" x1={(100 * step) / last} x2={(100 * step) / last} />
        ))}
        {isLike && <polyline points={points.join(' ')} />}
      </svg>
      {TICKS[of].map((tick) => (
        <span key={tick} className={styles.y} style={{ bottom: `${(100 * tick) / AXIS_END[of]}%` }}>
          {formatTick(tick)}
        </span>
      ))}
      {STEPS.map((step) => (
        <span key={step} className={styles.x} style={{ left: `${(100 * step) / last}%` }}>
          {step}
        </span>
      ))}
    </div>
  );
}
