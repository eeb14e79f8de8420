import type { ProfileReport, StepPass } from '../../../worker/api.ts';
import { Panel } from '../../widgets/Panel.tsx';
import * as format from '../../format.ts';
import { decades, peaksOf, type Selection } from './breakdown.ts';
import styles from './Profile.module.css';

/** In units of the drawing, which is scaled to fit. */
const [WIDTH, HEIGHT] = [560, 330];
const [LEFT, RIGHT, TOP, BOTTOM] = [74, 12, 12, 44];

const superscript = (power: number): string =>
  String(power).replace(/./g, (sign) => ({ '-': '⁻' })[sign] ?? '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(sign)]);

/** A power of ten as text: 0.01, 10, 10⁴. */
const powerText = (power: number): string =>
  power >= -2 && power <= 3 ? String(10 ** power) : `10${superscript(power)}`;

/** FLOP/s over FLOP per byte of each kernel, under the two peaks that were measured. */
export function Roofline({ profile, selected, select }: Selection & { profile: ProfileReport }) {
  const { kernels } = profile;
  const peaks = peaksOf(profile);
  const { flopPerSecond, bytesPerSecond } = peaks;
  const points = kernels.flatMap(({ kernel, pass, flop, bytes, time }, i) =>
    flop > 0 ? [{ i, kernel, pass, x: flop / bytes, y: flop / (time.median / 1e3) }] : [],
  );
  const ridge = flopPerSecond / bytesPerSecond;
  const x = logAxis([ridge / 3, 3 * ridge, ...points.map((point) => point.x)], LEFT, WIDTH - RIGHT);
  const y = logAxis(
    [flopPerSecond / 100, 1.5 * flopPerSecond, ...points.map((point) => point.y)],
    HEIGHT - BOTTOM,
    TOP,
  );
  // Where the bandwidth line enters the drawing: from the left or from below.
  const start = Math.max(x.low, y.low / bytesPerSecond);
  const line = (...ends: [x: number, y: number][]) =>
    ends.map(([at, rate]) => `${x.at(at)},${y.at(rate)}`).join(' ');
  const chosen = points.find(({ i }) => i === selected);
  const best = points.toSorted((a, b) => b.y - a.y)[0];
  return (
    <Panel
      title="Roofline"
      explanation="Arithmetic intensity (FLOP per byte) against performance (FLOP/s). Kernels under the slope are memory-bound, under the flat part compute-bound. Both limits are measured on this device."
    >
      <svg
        className={styles.roofline}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Roofline of ${points.length} kernels under a peak of ${format.flopRate(flopPerSecond)} and ${format.byteRate(bytesPerSecond)}${best ? `; ${best.kernel} is the fastest with ${format.flopRate(best.y)}` : ''}. The kernel table has the values.`}
      >
        <Grid x={x} y={y} />
        <polyline
          className={styles.roof}
          data-copy
          points={line([start, start * bytesPerSecond], [ridge, flopPerSecond])}
        />
        <polyline className={styles.roof} points={line([ridge, flopPerSecond], [x.high, flopPerSecond])} />
        {points.map((point) => (
          <g
            key={point.i}
            className={styles.point}
            data-kind={point.pass}
            data-selected={point === chosen || undefined}
            onClick={() => select(point === chosen ? undefined : point.i)}
          >
            <title>{numbersOf(point)}</title>
            <Mark pass={point.pass} x={x.at(point.x)} y={y.at(point.y)} radius={5.5} />
          </g>
        ))}
      </svg>
      <p className={`soft ${styles.chosen}`} aria-live="polite">
        {chosen ? `${numbersOf(chosen)}.` : 'Select a kernel to see its numbers.'}
      </p>
      <Legend ceilings={profile.ceilings} peaks={peaks} without={kernels.length - points.length} />
    </Panel>
  );
}

const numbersOf = ({ kernel, x, y }: { kernel: string; x: number; y: number }): string =>
  `${kernel}: ${format.flopRate(y)}, ${x.toPrecision(3)} FLOP per byte`;

/** A logarithmic axis over whole decades around some values. */
function logAxis(values: readonly number[], from: number, to: number) {
  const [low, high] = decades(Math.min(...values), Math.max(...values));
  return {
    low: 10 ** low,
    high: 10 ** high,
    powers: Array.from({ length: high - low + 1 }, (_, i) => low + i),
    at: (value: number) => from + ((Math.log10(value) - low) / (high - low)) * (to - from),
  };
}

type Axis = ReturnType<typeof logAxis>;

/** A line at each power of ten, and what the axes are. */
const Grid = ({ x, y }: { x: Axis; y: Axis }) => (
  <>
    {x.powers.map((power) => (
      <g key={`x${power}`} transform={`translate(${x.at(10 ** power)})`}>
        <line y1={TOP} y2={HEIGHT - BOTTOM} className={styles.gridLine} />
        <text y={HEIGHT - BOTTOM + 17} textAnchor="middle">
          {powerText(power)}
        </text>
      </g>
    ))}
    {y.powers.map((power) => (
      <g key={`y${power}`} transform={`translate(0 ${y.at(10 ** power)})`}>
        <line x1={LEFT} x2={WIDTH - RIGHT} className={styles.gridLine} />
        <text x={LEFT - 8} y={4} textAnchor="end">
          {format
            .flopRate(10 ** power)
            .replace(/\.0+ /, ' ')
            .replace('FLOP/s', '')}
        </text>
      </g>
    ))}
    <text x={LEFT} y={HEIGHT - 6}>
      FLOP per byte
    </text>
    <text x={LEFT + 4} y={TOP + 16}>
      FLOP/s
    </text>
  </>
);

interface MarkProps {
  pass: StepPass;
  x: number;
  y: number;
  radius: number;
}

/** A diamond for kernels of the backward pass, a circle for the others. */
const Mark = ({ pass, x, y, radius }: MarkProps) =>
  pass === 'backward' ? (
    <rect
      x={x - radius + 0.5}
      y={y - radius + 0.5}
      width={2 * radius - 1}
      height={2 * radius - 1}
      transform={`rotate(45 ${x} ${y})`}
    />
  ) : (
    <circle cx={x} cy={y} r={radius} />
  );

interface LegendProps extends Pick<ProfileReport, 'ceilings'> {
  peaks: ReturnType<typeof peaksOf>;
  /** How many kernels do no arithmetic. */
  without: number;
}

const Legend = ({ ceilings: { product, copy }, peaks, without }: LegendProps) => (
  <ul className={`soft ${styles.legend}`}>
    <li className="beside">
      <i className={styles.ceilingMark} aria-hidden="true" />
      {peaks.flopPerSecond > product.flopPerSecond
        ? 'fastest kernel'
        : `${product.size}² matrix multiplication`}
      : {format.flopRate(peaks.flopPerSecond)}
    </li>
    <li className="beside">
      <i className={styles.ceilingMark} data-copy aria-hidden="true" />
      copy of {format.memory(copy.bytes)}: {format.byteRate(peaks.bytesPerSecond)}
    </li>
    {(['forward', 'backward'] as const).map((pass) => (
      <li key={pass} className="beside">
        <svg viewBox="0 0 12 12" className={styles.point} data-kind={pass} aria-hidden="true">
          <Mark pass={pass} x={6} y={6} radius={pass === 'forward' ? 5 : 4.5} />
        </svg>
        {pass}
      </li>
    ))}
    <li>
      {without} {without === 1 ? 'kernel' : 'kernels'} without arithmetic not shown.
    </li>
  </ul>
);
