// `npm run build && node bench/frames.mjs [rounds]`: how long the page's main thread works in each sixtieth of a second while
// a run trains, by its own clock, so that a software GPU on the same cores is not in it.
import { chromium } from '@playwright/test';
import { preview } from 'vite';
import { findBrowser } from '../scripts/browser.mjs';
import { framesDuring, percentile } from '../scripts/frames.mjs';

const rounds = Number(process.argv[2] ?? 3);

const outDir = process.env['WGRAD_DIST'];
const server = await preview({
  preview: { port: 0 },
  logLevel: 'warn',
  ...(outDir ? { build: { outDir } } : {}),
});
const address = server.resolvedUrls?.local[0];
const browser = await chromium.launch({
  executablePath: findBrowser(),
  args: ['--no-sandbox', '--enable-unsafe-webgpu'],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, serviceWorkers: 'block' });
// At the pace that can be watched, the main thread would rest.
await page.addInitScript(() => {
  if (location.protocol.startsWith('http')) localStorage['wgrad.pace'] = 'full';
});
const SECONDS = 5;
const rest = (seconds) => page.waitForTimeout(1e3 * seconds);
const screen = (name) =>
  page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name, exact: true });

/** Moves the pressed mouse to and fro over what is there, and releases it away from where it was pressed. */
async function drag(locator) {
  await locator.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await locator.boundingBox();
  const until = performance.now() + 1e3 * SECONDS;
  for (let move = 0; performance.now() < until; move++) {
    const part = 0.5 - Math.cos(move / 10) / 4;
    await page.mouse.move(x + part * width, y + part * height);
    if (move === 0) await page.mouse.down();
    await rest(1 / 60);
  }
  await page.mouse.move(x + 0.75 * width, y + 0.75 * height);
  await page.mouse.up();
}

const DOINGS = {
  'Train, looked at': () => rest(SECONDS),
  'a chart zoomed': async () => {
    await drag(page.locator('.u-over').first());
    await page.getByRole('button', { name: 'Reset zoom' }).click();
  },
  'drawing on the pad': () => drag(page.getByRole('img', { name: /^Drawing pad/ }).first()),
  'Inspect, looked at': async () => {
    await screen('Inspect').click();
    await rest(SECONDS);
  },
  'Build, the graph dragged': async () => {
    await screen('Build').click();
    await page.getByRole('link', { name: 'Graph' }).click();
    await drag(page.locator('.react-flow__pane'));
  },
  'Profile, looked at': async () => {
    await screen('Profile').click();
    await rest(SECONDS);
  },
  'Runs, looked at': async () => {
    await screen('Runs').click();
    await rest(SECONDS);
  },
  'all screens in turn': async () => {
    for (const name of ['Inspect', 'Lab', 'Doctor', 'Runs', 'Build', 'Profile', 'Train']) {
      await screen(name).click();
      await rest(0.7);
    }
  },
};

try {
  await page.goto(address);
  const state = page.getByLabel('Status', { exact: true });
  await state.filter({ hasText: /^Ready$/ }).waitFor();
  await page.getByLabel('Batch size', { exact: true }).fill('16');
  await page.getByRole('button', { name: 'Train', exact: true }).click();
  await state.filter({ hasText: /^Training$/ }).waitFor();
  await rest(2);
  console.log(`ms of the main thread in a sixtieth of a second, ${rounds} rounds`);
  for (const [doing, work] of Object.entries(DOINGS)) {
    const found = [];
    for (let round = 0; round < rounds; round++) found.push(await framesDuring(page, work));
    const at = (share) => found.map(({ frames }) => percentile(frames, share).toFixed(1));
    console.log(
      `${doing.padEnd(26)} n ${found.map(({ frames }) => frames.length).join(' ')} · median ${at(0.5).join(' ')} · ` +
        `99th ${at(0.99).join(' ')} · most ${at(1).join(' ')} · longest task ${found.map(({ longest }) => longest.toFixed(1)).join(' ')}`,
    );
  }
  console.log(`at step ${await page.getByLabel('Step', { exact: true }).textContent()}`);
} finally {
  await browser.close();
  await server.close();
}
