/** Draws the time of a step over each size that grows, both on logarithmic axes, side by side. */
import { COLOURS, escape, STYLE, tenths } from '../svg.ts';
import type { Series } from './series.ts';

const PANEL = 300;
const HEIGHT = 320;
const [LEFT, RIGHT, TOP, BOTTOM] = [58, 22, 76, 44];
const [MEASURED, LEAST] = COLOURS;

export function drawGrowth(adapter: string, series: readonly Series[]): string {
  const width = PANEL * series.length;
  const title = `Time of a training step, ${adapter}`;
  const all = series.flatMap(({ points }) => points.flatMap(({ ms, least }) => [ms.p10, ms.p90, least]));
  const [low, high] = [10 ** Math.floor(Math.log10(Math.min(...all))), Math.max(...all)];
  const y = (ms: number) =>
    tenths(TOP + ((HEIGHT - TOP - BOTTOM) * Math.log(high / ms)) / Math.log(high / low));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${escape(title)}">
${STYLE}
<text x="${LEFT}" y="20" style="font-size:14px;font-weight:600">${escape(title)}</text>
${legend(LEFT, 40, MEASURED, 'measured')}
${legend(LEFT + 90, 40, LEAST, 'every kernel at the best rates measured')}
${series.map((one, i) => panel(one, i * PANEL, decades(low, high), y)).join('\n')}
</svg>
`;
}

const legend = (x: number, y: number, ink: string, text: string) =>
  `<line x1="${x}" x2="${x + 16}" y1="${y - 4}" y2="${y - 4}" stroke="${ink}" stroke-width="2"/><text x="${x + 22}" y="${y}">${text}</text>`;

function panel(
  { title, unit, points }: Series,
  from: number,
  levels: readonly number[],
  y: (ms: number) => number,
): string {
  const [first, last] = [points[0].at, points[points.length - 1].at];
  const [left, right] = [from + LEFT, from + PANEL - RIGHT];
  const x = (at: number) => tenths(left + ((right - left) * Math.log(at / first)) / Math.log(last / first));
  const line = (ink: string, of: (point: Series['points'][number]) => number) =>
    `<polyline points="${points.map((one) => `${x(one.at)},${y(of(one))}`).join(' ')}" fill="none" stroke="${ink}" stroke-width="1.8"/>`;
  const spreads = points.map(
    ({ at, ms }) =>
      `<line x1="${x(at)}" x2="${x(at)}" y1="${y(ms.p10)}" y2="${y(ms.p90)}" stroke="${MEASURED}"/><circle cx="${x(at)}" cy="${y(ms.median)}" r="3" fill="${MEASURED}"><title>${at} ${unit}: ${ms.median.toPrecision(3)} ms</title></circle>`,
  );
  const grid = levels.map(
    (level) =>
      `<line class="grid" x1="${left}" x2="${right}" y1="${y(level)}" y2="${y(level)}"/><text x="${left - 6}" y="${y(level) + 4}" text-anchor="end">${level} ms</text>`,
  );
  const sizes = apart(
    points.map(({ at }) => at),
    x,
  ).map((at) => `<text x="${x(at)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${at}</text>`);
  return [
    `<text x="${left}" y="${TOP - 8}" style="font-weight:600">${escape(title)}</text>`,
    ...grid,
    ...sizes,
    `<text x="${(left + right) / 2}" y="${HEIGHT - 8}" text-anchor="middle">${unit}</text>`,
    line(LEAST, ({ least }) => least),
    line(MEASURED, ({ ms }) => ms.median),
    ...spreads,
  ].join('\n');
}

/** Pixels that a digit takes, and those between two labels. */
const [DIGIT, GAP] = [7, 6];

/** Those of `sizes`, which grow, whose labels leave room for each other; the largest is one of them. */
function apart(sizes: readonly number[], x: (at: number) => number): number[] {
  const half = (at: number) => (String(at).length * DIGIT + GAP) / 2;
  const kept: number[] = [];
  for (const at of sizes.toReversed()) {
    if (kept.length === 0 || x(kept[0]) - x(at) >= half(kept[0]) + half(at)) kept.unshift(at);
  }
  return kept;
}

/** The powers of ten from `low` to `high`. */
function decades(low: number, high: number): number[] {
  const count = Math.floor(Math.log10(high / low) + 1e-9) + 1;
  return Array.from({ length: count }, (_, i) => Number((low * 10 ** i).toPrecision(6)));
}
