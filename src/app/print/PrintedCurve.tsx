import { niceTicks } from '../share/card/ticks.ts';
import * as format from '../format.ts';
import { print as texts } from '../messages/en/print.tsx';
import styles from './Print.module.css';

type CurvePoint = readonly [step: number, value: number];

interface PrintedCurveProps {
  title: string;
  training: readonly CurvePoint[];
  tests: readonly CurvePoint[];
  write(value: number): string;
  /** The upper end of the axis; by default the largest value. */
  most?: number;
}

const [WIDTH, HEIGHT] = [360, 170];
const ROOM = { left: 44, right: 8, top: 8, bottom: 32 };

/** A curve with its axes, as a drawing that paper shows sharply. */
export function PrintedCurve({ title, training, tests, write, most }: PrintedCurveProps) {
  const known = [...training, ...tests].filter(([, value]) => Number.isFinite(value));
  if (known.length === 0) return null;
  const last = Math.max(1, ...known.map(([step]) => step));
  const top = most ?? (Math.max(...known.map(([, value]) => value)) || 1);
  const x = (step: number) => ROOM.left + (step / last) * (WIDTH - ROOM.left - ROOM.right);
  const y = (value: number) => HEIGHT - ROOM.bottom - (value / top) * (HEIGHT - ROOM.top - ROOM.bottom);
  const line = (points: readonly CurvePoint[]) =>
    points
      .filter(([, value]) => Number.isFinite(value))
      .map(([step, value]) => `${x(step).toFixed(1)},${y(value).toFixed(1)}`)
      .join(' ');
  const [first, final] = [known[0], known[training.length > 0 ? training.length - 1 : known.length - 1]];
  return (
    <figure>
      <figcaption className="row">
        <b>{title}</b> <span className={styles.training}>{texts.training}</span>
        {tests.length > 0 && <span className={styles.test}>{texts.test}</span>}
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className={styles.curve}
        role="img"
        aria-label={texts.chart(title, write(first[1]), write((final ?? first)[1]))}
      >
        {niceTicks(top, 4).map((value) => (
          <g key={value}>
            <line x1={ROOM.left} x2={WIDTH - ROOM.right} y1={y(value)} y2={y(value)} />
            <text x={ROOM.left - 6} y={y(value) + 4} textAnchor="end">
              {write(value)}
            </text>
          </g>
        ))}
        {niceTicks(last, 4).map((step) => (
          <text key={step} x={x(step)} y={HEIGHT - ROOM.bottom + 14} textAnchor="middle">
            {format.count(step)}
          </text>
        ))}
        <text x={WIDTH - ROOM.right} y={HEIGHT - 4} textAnchor="end">
          {texts.step}
        </text>
        <polyline points={line(training)} className={styles.training} />
        {tests.length > 1 && <polyline points={line(tests)} className={styles.test} />}
        {tests.map(([step, value]) => (
          <circle key={step} cx={x(step)} cy={y(value)} r={2} className={styles.test} />
        ))}
      </svg>
    </figure>
  );
}
