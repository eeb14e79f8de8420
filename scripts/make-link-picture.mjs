// Makes public/link-picture.png, what other sites show of a link to the page: `npm run build`, then
// `node scripts/make-link-picture.mjs`. Its maps are those of the built-in network, painted by the page.
import { chromium } from '@playwright/test';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PNG } from 'pngjs';
import { preview } from 'vite';
import { findBrowser } from './browser.mjs';

const SIZE = { width: 1200, height: 630 };
const FILE = fileURLToPath(new URL('../public/link-picture.png', import.meta.url));
const ICON = readFileSync(new URL('../public/icon.svg', import.meta.url), 'utf8');

/**
 * The columns from left to right: the layer that the page's canvas names, how its maps lie on that canvas (side and step
 * in pixels, and how many to a row), and where they go in the picture.
 */
const COLUMNS = [
  { layer: 'conv1', side: 56, step: 60, across: 1, count: 6, x: 312, shown: 54, gap: 8 },
  { layer: 'pool1', side: 42, step: 46, across: 1, count: 6, x: 436, shown: 42, gap: 20 },
  { layer: 'relu2', side: 40, step: 44, across: 2, count: 16, x: 548, shown: 40, gap: 7 },
  { layer: 'pool2', side: 45, step: 49, across: 2, count: 16, x: 706, shown: 38, gap: 9 },
  { layer: 'relu4', side: 10, step: 14, across: 3, count: 84, x: 872, shown: 9, gap: 4.4 },
];
const ROOM = { top: 226, height: 368 };
const DIGIT = { x: 64, side: 188 };
const SHADE = 6;
const BARS = { x: 1000, width: 136 };

const server = await preview({ preview: { port: 0 }, logLevel: 'warn' });
const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({
    baseURL: server.resolvedUrls?.local[0],
    viewport: { width: 1366, height: 768 },
    colorScheme: 'dark',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  });
  await page.goto('./?engine=cpu#/inspect/image');
  await page.getByRole('img', { name: /^relu4: / }).waitFor({ timeout: 120_000 });
  await page.waitForTimeout(1000);
  const canvas = async (name) =>
    page.getByRole('img', { name }).evaluate((element) => element.toDataURL('image/png'));
  const digit = await canvas(/^The image that the network sees/);
  const columns = [];
  for (const column of COLUMNS)
    columns.push({ ...column, data: await canvas(new RegExp(`^${column.layer}: `)) });
  const answer = Number(await page.getByLabel('Prediction', { exact: true }).textContent());
  await page.setViewportSize(SIZE);
  await page.goto('about:blank');
  await page.setContent(html());
  await page.evaluate(paint, { digit, columns, answer, layout: { ...ROOM, digit: DIGIT, bars: BARS } });
  const picture = PNG.sync.read(await page.screenshot());
  // Fewer shades, which nobody sees: half the bytes.
  picture.data = picture.data.map((value) => Math.min(255, SHADE * Math.round(value / SHADE)));
  const bytes = PNG.sync.write(picture, { colorType: 2, deflateLevel: 9 });
  writeFileSync(FILE, bytes);
  console.log(`${FILE}: ${bytes.length} bytes`);
} finally {
  await browser.close();
  await server.close();
}

function html() {
  return `<style>
    body { margin: 0; background: #101319; overflow: hidden; }
    body > * { position: absolute; }
    canvas { left: 0; top: 0; }
    .mark { left: 64px; top: 58px; width: 44px; }
    .mark svg { display: block; width: 100%; }
    p { margin: 0; color: #e9eaec; font-family: system-ui, 'Noto Sans', sans-serif; white-space: nowrap; }
    .name { left: 122px; top: 56px; font-size: 32px; font-weight: 700; line-height: 48px; letter-spacing: -0.01em; }
    .head { left: 64px; top: 112px; font-size: 55px; font-weight: 700; line-height: 76px; letter-spacing: -0.022em; }
    .head span { color: #ffab5c; }
  </style>
  <canvas width="${SIZE.width}" height="${SIZE.height}"></canvas>
  <div class="mark">${ICON}</div>
  <p class="name">wgrad</p>
  <p class="head">Watch a neural network <span>learn.</span></p>`;
}

/** Runs in the browser. */
async function paint({ digit, columns, answer, layout }) {
  const context = document.querySelector('canvas').getContext('2d');
  context.imageSmoothingEnabled = false;
  const read = (data) =>
    new Promise((done) => {
      const image = new Image();
      image.addEventListener('load', () => done(image));
      image.src = data;
    });
  const middle = layout.top + layout.height / 2;
  /** Where each map of a column goes. */
  const placesOf = ({ across, count, x, shown, gap }) => {
    const rows = Math.ceil(count / across);
    const top = middle - (rows * (shown + gap) - gap) / 2;
    return Array.from({ length: count }, (_, i) => ({
      x: x + (i % across) * (shown + gap),
      y: top + Math.floor(i / across) * (shown + gap),
      side: shown,
    }));
  };
  const digitPlace = [{ x: layout.digit.x, y: middle - layout.digit.side / 2, side: layout.digit.side }];
  const bars = Array.from({ length: 10 }, (_, i) => ({
    x: layout.bars.x,
    y: layout.top + 8 + (i * (layout.height - 16 - 22)) / 9,
    side: 22,
  }));
  const all = [digitPlace, ...columns.map(placesOf), bars];

  // How every map of a column reads those of the column before.
  context.lineWidth = 1;
  for (let i = 1; i < all.length; i++) {
    const rows = (places) => [...new Map(places.map((place) => [place.y, place])).values()];
    const right = (places) => Math.max(...places.map(({ x, side }) => x + side));
    const [from, to] = [rows(all[i - 1]), rows(all[i])];
    const [start, end] = [right(all[i - 1]) + 8, all[i][0].x - (i === all.length - 1 ? 26 : 8)];
    context.globalAlpha = Math.min(0.5, 2.2 / Math.sqrt(from.length * to.length));
    const stroke = context.createLinearGradient(start, 0, end, 0);
    stroke.addColorStop(0, 'rgb(138 204 255 / 0.08)');
    stroke.addColorStop(0.5, 'rgb(138 204 255 / 0.5)');
    stroke.addColorStop(1, 'rgb(138 204 255 / 0.08)');
    context.strokeStyle = stroke;
    for (const a of from)
      for (const b of to) {
        const [y0, y1] = [a.y + a.side / 2, b.y + b.side / 2];
        const half = (start + end) / 2;
        context.beginPath();
        context.moveTo(start, y0);
        context.bezierCurveTo(half, y0, half, y1, end, y1);
        context.stroke();
      }
  }
  context.globalAlpha = 1;

  // Its middle, where the digit is.
  const whole = await read(digit);
  const [from, part] = [whole.width * 0.17, whole.width * 0.66];
  context.drawImage(
    whole,
    from,
    from,
    part,
    part,
    digitPlace[0].x,
    digitPlace[0].y,
    layout.digit.side,
    layout.digit.side,
  );
  for (const [i, { data, side, step, across }] of columns.entries()) {
    const image = await read(data);
    for (const [k, place] of all[i + 1].entries()) {
      const [left, top] = [(k % across) * step, Math.floor(k / across) * step];
      // Twice: brighter than on the page, for it is looked at in small.
      context.globalCompositeOperation = 'screen';
      for (let times = 0; times < 2; times++)
        context.drawImage(image, left, top, side, side, place.x, place.y, place.side, place.side);
      context.globalCompositeOperation = 'source-over';
    }
  }
  context.font = '500 20px system-ui, "Noto Sans", sans-serif';
  context.textBaseline = 'middle';
  bars.forEach(({ x, y, side }, i) => {
    const best = i === answer;
    context.fillStyle = best ? '#ffab5c' : '#757d89';
    context.font = `${best ? 700 : 500} ${best ? 26 : 18}px system-ui, "Noto Sans", sans-serif`;
    context.fillText(String(i), x - (best ? 21 : 18), y + side / 2 + 1);
    context.fillStyle = best ? '#ffab5c' : '#21252b';
    context.beginPath();
    context.roundRect(x + 4, y + 5, layout.bars.width - 4, side - 10, 4);
    context.fill();
  });
}
