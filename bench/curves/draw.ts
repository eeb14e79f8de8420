/** Draws test accuracy over training time as an SVG that reads on light and dark pages. */
import type { TrainedRun } from './runs.ts';

/** Okabe and Ito, "Color Universal Design" (2008): told apart by the colour-blind, on white and on black. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'];

const STYLE =
  '<style>text{font:12px system-ui,sans-serif;fill:#444}.grid{stroke:#8884}.mark{stroke:#888;stroke-dasharray:4 4}' +
  '@media(prefers-color-scheme:dark){text{fill:#ccc}}</style>';

/** Text as it may stand in an SVG. */
const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Pixels, without digits that nobody sees. */
const tenths = (pixels: number): number => Math.round(10 * pixels) / 10;

const WIDTH = 720;
const HEIGHT = 360;
const LEFT = 56;
const RIGHT = 16;
const TOP = 40;
const BOTTOM = 44;
/**
 * @param target accuracy that a line marks, 0 to 1
 */
export function drawCurves(title: string, runs: readonly TrainedRun[], target: number): string {
  const last = Math.max(...runs.flatMap(({ epochs }) => epochs.map(({ seconds }) => seconds)));
  const sorted = runs.flatMap(({ epochs }) => epochs.map(({ accuracy }) => accuracy)).sort((a, b) => a - b);
  // The first epochs of hard sets are far below; they may leave the picture.
  const low = Math.floor(20 * Math.min(sorted[Math.floor(sorted.length / 20)], target - 0.02)) / 20;
  const x = (seconds: number) => tenths(LEFT + ((WIDTH - LEFT - RIGHT) * seconds) / last);
  const y = (accuracy: number) =>
    tenths(TOP + ((HEIGHT - TOP - BOTTOM) * (1 - Math.max(low, accuracy))) / (1 - low));
  const lines = runs.map(({ epochs, name }, i) => {
    const points = epochs.map((one) => `${x(one.seconds)},${y(one.accuracy)}`);
    const ink = COLOURS[i % COLOURS.length];
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${ink}" stroke-width="1.8"><title>${escape(name)}</title></polyline>`;
  });
  // Curves rise, so the lower right is free.
  const names = runs.map(({ name }, i) => {
    const height = HEIGHT - BOTTOM - 12 - 16 * (runs.length - 1 - i);
    return `<circle cx="${WIDTH - RIGHT - 4}" cy="${height - 4}" r="4" fill="${COLOURS[i % COLOURS.length]}"/><text x="${WIDTH - RIGHT - 14}" y="${height}" text-anchor="end">${escape(name)}</text>`;
  });
  const levels = ticks(low, 1, 6).map(
    (level) =>
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(level)}" y2="${y(level)}"/>` +
      `<text x="${LEFT - 8}" y="${y(level) + 4}" text-anchor="end">${Number((100 * level).toFixed(2))} %</text>`,
  );
  const times = ticks(0, last, 8).map(
    (time) => `<text x="${x(time)}" y="${HEIGHT - BOTTOM + 20}" text-anchor="middle">${time} s</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escape(title)}">
${STYLE}
<text x="${LEFT}" y="20" style="font-size:14px;font-weight:600">${escape(title)}</text>
${[...levels, ...times].join('\n')}
<line class="mark" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(target)}" y2="${y(target)}"/>
<text x="${WIDTH - RIGHT}" y="${y(target) - 5}" text-anchor="end">${Number((100 * target).toFixed(2))} %</text>
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 6}" text-anchor="middle">training time, evaluations left out</text>
${[...lines, ...names].join('\n')}
</svg>
`;
}

/** Round numbers from `low` to `high`, about `count` of them. */
export function ticks(low: number, high: number, count: number): number[] {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((one) => one * power >= rough) as number) * power;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(6)));
}
