import type { ProfileReport } from '../../../worker/api.ts';
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
  const { kernels, ceilings } = profile;
  const peaks = peaksOf(profile);
  const points = kernels.flatMap(({ kernel, pass, flop, bytes, time }, i) =>
    flop > 0 ? [{ i, kernel, pass, x: flop / bytes, y: flop / (time.median / 1e3) }] : [],
  );
  const ridge = peaks.flopPerSecond / peaks.bytesPerSecond;
  const [x0, x1] = decades(
    Math.min(ridge / 3, ...points.map(({ x }) => x)),
    Math.max(3 * ridge, ...points.map(({ x }) => x)),
  );
  const [y0, y1] = decades(
    Math.min(peaks.flopPerSecond / 100, ...points.map(({ y }) => y)),
    Math.max(1.5 * peaks.flopPerSecond, ...points.map(({ y }) => y)),
  );
  const px = (x: number) => LEFT + ((Math.log10(x) - x0) / (x1 - x0)) * (WIDTH - LEFT - RIGHT);
  const py = (y: number) => HEIGHT - BOTTOM - ((Math.log10(y) - y0) / (y1 - y0)) * (HEIGHT - TOP - BOTTOM);
  const powers = (low: number, high: number) => Array.from({ length: high - low + 1 }, (_, i) => low + i);
  // Where the bandwidth line enters the drawing: from the left or from below.
  const start = Math.max(10 ** x0, 10 ** y0 / peaks.bytesPerSecond);
  const line = (...ends: [x: number, y: number][]) => ends.map(([x, y]) => `${px(x)},${py(y)}`).join(' ');
  const bandwidth = line([start, start * peaks.bytesPerSecond], [ridge, peaks.flopPerSecond]);
  const compute = line([ridge, peaks.flopPerSecond], [10 ** x1, peaks.flopPerSecond]);
  const chosen = points.find(({ i }) => i === selected);
  const withoutArithmetic = kernels.length - points.length;
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
        aria-label={`Roofline of ${points.length} kernels under a peak of ${format.flopRate(peaks.flopPerSecond)} and ${format.byteRate(peaks.bytesPerSecond)}${best ? `; ${best.kernel} is the fastest with ${format.flopRate(best.y)}` : ''}. The kernel table has the values.`}
      >
        {powers(x0, x1).map((power) => (
          <g key={`x${power}`}>
            <line
              x1={px(10 ** power)}
              x2={px(10 ** power)}
              y1={TOP}
              y2={HEIGHT - BOTTOM}
              className={styles.gridLine}
            />
            <text x={px(10 ** power)} y={HEIGHT - BOTTOM + 17} textAnchor="middle">
              {powerText(power)}
            </text>
          </g>
        ))}
        {powers(y0, y1).map((power) => (
          <g key={`y${power}`}>
            <line
              x1={LEFT}
              x2={WIDTH - RIGHT}
              y1={py(10 ** power)}
              y2={py(10 ** power)}
              className={styles.gridLine}
            />
            <text x={LEFT - 8} y={py(10 ** power) + 4} textAnchor="end">
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
        <polyline className={styles.roof} data-copy points={bandwidth} />
        <polyline className={styles.roof} points={compute} />
        {points.map(({ i, kernel, pass, x, y }) => (
          <g
            key={i}
            className={styles.point}
            data-kind={pass}
            data-selected={i === selected || undefined}
            onClick={() => select(i === selected ? undefined : i)}
          >
            <title>{`${kernel}: ${format.flopRate(y)}, ${x.toPrecision(3)} FLOP per byte`}</title>
            {pass === 'backward' ? (
              <rect
                x={px(x) - 5}
                y={py(y) - 5}
                width={10}
                height={10}
                transform={`rotate(45 ${px(x)} ${py(y)})`}
              />
            ) : (
              <circle cx={px(x)} cy={py(y)} r={5.5} />
            )}
          </g>
        ))}
      </svg>
      <p className={`soft ${styles.chosen}`} aria-live="polite">
        {chosen
          ? `${chosen.kernel}: ${format.flopRate(chosen.y)}, ${chosen.x.toPrecision(3)} FLOP per byte.`
          : 'Select a kernel to see its numbers.'}
      </p>
      <ul className={`soft ${styles.legend}`}>
        <li className="beside">
          <i className={styles.ceilingMark} aria-hidden="true" />
          {peaks.flopPerSecond > ceilings.product.flopPerSecond
            ? 'fastest kernel'
            : `${ceilings.product.size}² matrix multiplication`}
          : {format.flopRate(peaks.flopPerSecond)}
        </li>
        <li className="beside">
          <i className={styles.ceilingMark} data-copy aria-hidden="true" />
          copy of {format.memory(ceilings.copy.bytes)}: {format.byteRate(peaks.bytesPerSecond)}
        </li>
        <li className="beside">
          <svg viewBox="0 0 12 12" className={styles.point} data-kind="forward" aria-hidden="true">
            <circle cx="6" cy="6" r="5" />
          </svg>
          forward
        </li>
        <li className="beside">
          <svg viewBox="0 0 12 12" className={styles.point} data-kind="backward" aria-hidden="true">
            <rect x="2" y="2" width="8" height="8" transform="rotate(45 6 6)" />
          </svg>
          backward
        </li>
        <li>
          {withoutArithmetic} {withoutArithmetic === 1 ? 'kernel' : 'kernels'} without arithmetic not shown.
        </li>
      </ul>
    </Panel>
  );
}
