import type { StepProfile } from '../../../worker/api.ts';
import { Panel } from '../../components/Panel.tsx';
import * as format from '../../format.ts';
import { decades } from './breakdown.ts';
import shared from './Profile.module.css';
import styles from './Roofline.module.css';
import { useSelection } from './selection.tsx';

/** In units of the drawing, which is scaled to its place. */
const [WIDTH, HEIGHT] = [560, 330];
const [LEFT, RIGHT, TOP, BOTTOM] = [74, 12, 12, 44];

const superscript = (power: number): string =>
  String(power).replace(/./g, (sign) => ({ '-': '⁻' })[sign] ?? '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(sign)]);

/** A power of ten for people: 0.01, 10, 10⁴. */
const plain = (power: number): string =>
  power >= -2 && power <= 3 ? String(10 ** power) : `10${superscript(power)}`;

/** Achieved operations a second over operations a byte, under the two ceilings that were measured. */
export function Roofline({ profile: { kernels, ceilings } }: { profile: StepProfile }) {
  const { selected, select } = useSelection();
  const { product, copy } = ceilings;
  const points = kernels.flatMap(({ kernel, pass, flop, bytes, time }, i) =>
    flop > 0 ? [{ i, kernel, pass, x: flop / bytes, y: flop / (time.median / 1e3) }] : [],
  );
  const ridge = product.flopPerSecond / copy.bytesPerSecond;
  const [x0, x1] = decades(
    Math.min(ridge / 3, ...points.map(({ x }) => x)),
    Math.max(3 * ridge, ...points.map(({ x }) => x)),
  );
  const [y0, y1] = decades(
    Math.min(product.flopPerSecond / 100, ...points.map(({ y }) => y)),
    Math.max(1.5 * product.flopPerSecond, ...points.map(({ y }) => y)),
  );
  const px = (x: number) => LEFT + ((Math.log10(x) - x0) / (x1 - x0)) * (WIDTH - LEFT - RIGHT);
  const py = (y: number) => HEIGHT - BOTTOM - ((Math.log10(y) - y0) / (y1 - y0)) * (HEIGHT - TOP - BOTTOM);
  const powers = (low: number, high: number) => Array.from({ length: high - low + 1 }, (_, i) => low + i);
  // Where the copy's line comes into the picture: at its left, or from below.
  const start = Math.max(10 ** x0, 10 ** y0 / copy.bytesPerSecond);
  const roof = [
    [px(start), py(start * copy.bytesPerSecond)],
    [px(ridge), py(product.flopPerSecond)],
    [px(10 ** x1), py(product.flopPerSecond)],
  ];
  const moving = kernels.length - points.length;
  const best = points.toSorted((a, b) => b.y - a.y)[0];
  return (
    <Panel
      title="Roofline"
      explanation="To the right, operations for each byte that has to be moved; upwards, operations a second. Below the slope memory is the limit, below the flat part arithmetic is. Both were measured here, not looked up."
    >
      <svg
        className={styles.roofline}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Roofline of ${points.length} kernels under a ceiling of ${format.flopRate(product.flopPerSecond)} and ${format.byteRate(copy.bytesPerSecond)}${best ? `; ${best.kernel} is the fastest with ${format.flopRate(best.y)}` : ''}. The table of kernels has the numbers.`}
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
              {plain(power)}
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
          operations a byte
        </text>
        <text x={-HEIGHT + BOTTOM} y={12} transform="rotate(-90)">
          FLOP/s
        </text>
        <polyline className={styles.roof} points={roof.map((at) => at.join(',')).join(' ')} />
        <text
          className={styles.roofName}
          x={WIDTH - RIGHT - 4}
          y={py(product.flopPerSecond) - 7}
          textAnchor="end"
        >
          matrix product of {product.size}: {format.flopRate(product.flopPerSecond)}
        </text>
        <text
          className={styles.roofName}
          x={px(start) + 8}
          y={py(start * copy.bytesPerSecond) - 10}
          transform={`rotate(${(Math.atan2(roof[1][1] - roof[0][1], roof[1][0] - roof[0][0]) * 180) / Math.PI} ${px(start)} ${py(start * copy.bytesPerSecond)})`}
        >
          copy: {format.byteRate(copy.bytesPerSecond)}
        </text>
        {points.map(({ i, kernel, pass, x, y }) => (
          <g
            key={i}
            className={styles.point}
            data-kind={pass}
            data-selected={i === selected || undefined}
            onClick={() => select(i === selected ? undefined : i)}
          >
            <title>{`${kernel}: ${format.flopRate(y)}, ${x.toPrecision(3)} operations a byte`}</title>
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
            {i === selected && (
              <text
                x={px(x) + (px(x) > WIDTH * 0.7 ? -10 : 10)}
                y={py(y) + 18}
                textAnchor={px(x) > WIDTH * 0.7 ? 'end' : 'start'}
              >
                {kernel}
              </text>
            )}
          </g>
        ))}
      </svg>
      <ul className={shared.legend}>
        <li>
          <svg viewBox="0 0 12 12" className={styles.point} data-kind="forward" aria-hidden="true">
            <circle cx="6" cy="6" r="5" />
          </svg>
          forward
        </li>
        <li>
          <svg viewBox="0 0 12 12" className={styles.point} data-kind="backward" aria-hidden="true">
            <rect x="2" y="2" width="8" height="8" transform="rotate(45 6 6)" />
          </svg>
          backward
        </li>
        <li>{moving} kernels that only move or compare numbers are not in it.</li>
      </ul>
    </Panel>
  );
}
