import type { CheckChart as Chart } from '../../../worker/api.ts';
import * as format from '../../format.ts';
import styles from './Doctor.module.css';

/** In units of the drawing, which is scaled to fit. */
const [WIDTH, HEIGHT] = [260, 96];
const EDGE = 4;
/** The height of a gauge. */
const GAUGE = 32;

type Of<Kind extends Chart['kind']> = Extract<Chart, { kind: Kind }>;

/** The numbers behind a finding, as a small picture. Its sentence says the same in words. */
export function CheckChart({ chart, title }: { chart: Chart; title: string }) {
  return (
    <figure className={styles.chart}>
      {chart.kind === 'lines' && <Lines chart={chart} title={title} />}
      {chart.kind === 'bars' && <Bars chart={chart} title={title} />}
      {chart.kind === 'gauge' && <Gauge chart={chart} title={title} />}
    </figure>
  );
}

const svgOf = (title: string, words: string, height = HEIGHT) => ({
  viewBox: `0 0 ${WIDTH} ${height}`,
  role: 'img',
  'aria-label': `${title}: ${words}`,
});

function Lines({ chart: { series, goal }, title }: { chart: Of<'lines'>; title: string }) {
  const values = series.flatMap((one) => one.values.filter(Number.isFinite));
  // A loss that explodes would flatten everything else.
  const usual = values.toSorted((a, b) => a - b)[Math.floor(0.9 * (values.length - 1))] ?? 1;
  const most = Math.min(Math.max(...values, goal?.value ?? 0), 4 * Math.max(usual, goal?.value ?? 0)) || 1;
  const longest = Math.max(...series.map((one) => one.values.length), 2);
  const x = (i: number) => EDGE + (i / (longest - 1)) * (WIDTH - 2 * EDGE);
  const y = (value: number) => HEIGHT - EDGE - (Math.min(value, most) / most) * (HEIGHT - 2 * EDGE);
  const words = series.map(
    ({ name, values: own }) => `${name} from ${format.loss(own[0])} to ${format.loss(own[own.length - 1])}`,
  );
  return (
    <>
      <svg {...svgOf(title, words.join('; '))}>
        {series.map(({ name, values: own }, i) => (
          <polyline
            key={name}
            className={styles.line}
            data-series={i}
            points={own
              .flatMap((value, step) => (Number.isFinite(value) ? [`${x(step)},${y(value)}`] : []))
              .join(' ')}
          />
        ))}
        {goal && (
          <line className={styles.goal} x1={EDGE} x2={WIDTH - EDGE} y1={y(goal.value)} y2={y(goal.value)} />
        )}
      </svg>
      <figcaption className="fine">
        {series.map(({ name }, i) => (
          <span key={name} className="beside">
            <i className={styles.key} data-series={i} aria-hidden="true" />
            {name}
          </span>
        ))}
        {goal && (
          <span className="beside">
            <i className={styles.key} data-goal aria-hidden="true" />
            {goal.name} {format.loss(goal.value)}
          </span>
        )}
      </figcaption>
    </>
  );
}

function Bars({ chart: { bars }, title }: { chart: Of<'bars'>; title: string }) {
  const most = Math.max(...bars.map(({ value }) => value), 1e-12);
  const width = (WIDTH - 2 * EDGE) / bars.length;
  const numberOf = (value: number) => (most <= 1 ? format.percent(value, 0) : format.count(value));
  const isFew = bars.length <= 4;
  return (
    <>
      <svg {...svgOf(title, bars.map(({ name, value }) => `${name} ${numberOf(value)}`).join(', '))}>
        <line className={styles.base} x1={EDGE} x2={WIDTH - EDGE} y1={HEIGHT - EDGE} y2={HEIGHT - EDGE} />
        {bars.map(({ name, value }, i) => {
          const height = (value / most) * (HEIGHT - 2 * EDGE);
          return (
            <rect
              key={name}
              className={styles.bar}
              x={EDGE + i * width + 0.1 * width}
              y={HEIGHT - EDGE - height}
              width={0.8 * width}
              height={height}
            >
              <title>{`${name}: ${numberOf(value)}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption className={`fine ${styles.names}`} data-few={isFew || undefined}>
        {isFew ? (
          bars.map(({ name, value }) => (
            <span key={name}>
              {name} <b>{numberOf(value)}</b>
            </span>
          ))
        ) : (
          <>
            <span>{bars[0].name}</span>
            <span>{bars[bars.length - 1].name}</span>
          </>
        )}
      </figcaption>
    </>
  );
}

function Gauge({ chart: { marks, healthy, ends, log }, title }: { chart: Of<'gauge'>; title: string }) {
  const scaled = (value: number) => (log ? Math.log10(Math.max(value, 1e-30)) : value);
  const [low, high] = ends.map(scaled);
  const x = (value: number) => {
    const share = Number.isFinite(value) ? (scaled(value) - low) / (high - low) : 1;
    return EDGE + Math.min(1, Math.max(0, share)) * (WIDTH - 2 * EDGE);
  };
  const numberOf = (value: number) =>
    log && value < 1e-3 ? value.toExponential(1) : String(Number(value.toPrecision(3)));
  const [from, to] = healthy.map(x);
  const middle = GAUGE / 2;
  return (
    <>
      <svg {...svgOf(title, marks.map(({ name, value }) => `${name} ${numberOf(value)}`).join(', '), GAUGE)}>
        <rect className={styles.scale} x={EDGE} y={middle - 7} width={WIDTH - 2 * EDGE} height={14} rx={7} />
        <rect className={styles.healthy} x={from} y={middle - 7} width={to - from} height={14} rx={7} />
        {marks.map(({ name, value }, i) => (
          <circle key={name} className={styles.mark} data-series={i} cx={x(value)} cy={middle} r={7} />
        ))}
      </svg>
      <figcaption className="fine">
        {marks.map(({ name, value }, i) => (
          <span key={name} className="beside">
            <i className={styles.key} data-series={i} aria-hidden="true" />
            {name} {numberOf(value)}
          </span>
        ))}
        <span className="beside">
          <i className={styles.key} data-healthy aria-hidden="true" />
          healthy
        </span>
      </figcaption>
    </>
  );
}
