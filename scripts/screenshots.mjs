// Takes screenshots of every screen with content, light and dark, on a laptop, a projector and a phone:
//
//   npm run build && node scripts/screenshots.mjs [folder] [screen ...]
//   npm run build && node scripts/screenshots.mjs --readme     the README's pictures, into docs/
//
// Screens are those of SCREENS below. Without a GPU it takes about ten minutes.
import { chromium } from '@playwright/test';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { preview } from 'vite';
import { findBrowser } from './browser.mjs';

const SIZES = {
  laptop: { width: 1366, height: 768 },
  projector: { width: 1920, height: 1080 },
  phone: { width: 390, height: 844 },
};
/** For the README: one window of a laptop. */
const WINDOW = { width: 1366, height: 768 };
/** Its pictures in docs/, by screen. */
const README = { train: 'train', 'inspect-image': 'inspect' };
const THEMES = ['light', 'dark'];
/** `WGRAD_ENGINE=cpu` chooses the engine, as on the command line. */
const START = `./${process.env['WGRAD_ENGINE'] ? `?engine=${process.env['WGRAD_ENGINE']}` : ''}`;
/** A software GPU takes minutes to compile. */
const LONG = { timeout: 600_000 };

/** For each picture, by name: a URL, and the actions that lead from there to the picture. */
const SCREENS = {
  async train(page) {
    await open(page, 'train');
    // The introduction, and what was said about the runs before.
    const notices = page.getByRole('button', { name: 'Dismiss', exact: true }).filter({ visible: true });
    while ((await notices.count()) > 0) await notices.first().click();
    await page.getByRole('button', { name: 'Next sample' }).click();
    // These are loaded when they first become visible.
    for (const name of ['First-layer filters', 'Most confident mistakes']) {
      const part = page.getByRole('region', { name });
      await part.scrollIntoViewIfNeeded();
      await part.getByText('Loading…').waitFor({ state: 'hidden', ...LONG });
    }
  },
  async build(page) {
    await open(page, 'build/layers');
    await page.getByLabel('Start from').selectOption('resnet8');
    await page.getByRole('button', { name: 'Load', exact: true }).click();
    await page.getByText('valid', { exact: true }).waitFor();
  },
  'build-graph': (page) => open(page, 'build/graph'),
  'build-code': (page) => open(page, 'build/code'),
  async inspect(page) {
    await open(page, 'inspect/mistakes');
    await page.getByRole('list', { name: 'Test images' }).waitFor();
  },
  async 'inspect-image'(page) {
    await SCREENS.inspect(page);
    await page.getByRole('list', { name: 'Test images' }).getByRole('button').first().click();
    await page.getByRole('table', { name: 'Products' }).waitFor(LONG);
  },
  async lab(page) {
    await open(page, 'lab/race?N=16&C=16&H=16&W=16&K=16&R=3&S=3&padding=1');
    await page.getByRole('button', { name: 'Race', exact: true }).click();
    await page
      .getByText(/^Fastest: |^Tie: /)
      .filter({ visible: true })
      .waitFor(LONG);
    await page.getByRole('button', { name: 'Race', exact: true }).waitFor(LONG);
  },
  async profile(page) {
    await open(page, 'profile');
    await page.getByRole('button', { name: 'Profile a step' }).click();
    await page.getByRole('heading', { name: /^Step time: / }).waitFor(LONG);
  },
  async doctor(page) {
    await open(page, 'doctor');
    await page.getByRole('button', { name: 'Run checks', exact: true }).click();
    await page
      .getByRole('status', { name: 'Verdict' })
      .filter({ hasText: /passed|failed|warning/ })
      .waitFor(LONG);
    await page.getByRole('button', { name: 'Run checks again' }).waitFor(LONG);
  },
  async runs(page) {
    await open(page, 'runs');
    await page.getByRole('region', { name: 'Table of runs' }).waitFor();
    for (const box of await page.getByRole('checkbox', { name: /^Compare/ }).all()) await box.check();
    await page.getByRole('heading', { name: /runs compared/ }).waitFor();
  },
};

const forReadme = process.argv[2] === '--readme';
const folder = resolve(forReadme ? 'docs' : (process.argv[2] ?? 'screenshots'));
const named = process.argv.slice(3);
const wanted = named.length > 0 ? named : Object.keys(forReadme ? README : SCREENS);
const unknown = wanted.filter((name) => !(name in SCREENS));
if (unknown.length > 0) {
  console.error(`expected some of ${Object.keys(SCREENS).join(', ')}; found ${unknown.join(', ')}`);
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const outDir = process.env['WGRAD_DIST'];
const server = await preview({
  preview: { port: 0 },
  logLevel: 'warn',
  ...(outDir ? { build: { outDir } } : {}),
});
const browser = await chromium.launch({
  executablePath: findBrowser(),
  args: ['--no-sandbox', '--enable-unsafe-webgpu'],
});
try {
  const page = await browser.newPage({
    baseURL: server.resolvedUrls?.local[0],
    viewport: SIZES.laptop,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  });
  page.setDefaultTimeout(60_000);
  await page.addInitScript(() => {
    if (location.protocol.startsWith('http')) localStorage['wgrad.pace'] = 'full';
  });
  page.on('pageerror', (error) => console.error(`page: ${error.message}`));
  await twoRuns(page);
  for (const name of wanted) {
    await SCREENS[name](page);
    for (const [size, viewport] of Object.entries(forReadme ? { '': WINDOW } : SIZES)) {
      await page.setViewportSize(viewport);
      for (const theme of THEMES) {
        await wear(page, theme);
        await settle(page);
        const file = forReadme
          ? `${README[name]}${theme === 'dark' ? '-dark' : ''}`
          : `${name}-${size}-${theme}`;
        const path = join(folder, `${file}.png`);
        await page.screenshot({ path, fullPage: !forReadme });
        console.log(path);
      }
    }
    await page.setViewportSize(SIZES.laptop);
  }
} finally {
  await browser.close();
  await server.close();
}

function wear(page, theme) {
  return page.evaluate((to) => (document.documentElement.dataset.theme = to), theme);
}

/** Scrolls to the top and waits for charts to redraw, which takes a frame or two. */
async function settle(page) {
  await page.mouse.move(0, 0);
  return page.evaluate(() => {
    scrollTo(0, 0);
    return new Promise((drawn) => setTimeout(drawn, 500));
  });
}

/** @param address the part after `#/` */
async function open(page, address) {
  await page.goto(`${START}#/${address}`);
  // Scrolls through the screen, because panels load their content when they become visible.
  await page.locator('main > p', { hasText: 'Loading…' }).waitFor({ state: 'hidden' });
  await page.locator('main h2, main h1').filter({ visible: true }).first().waitFor();
}

/** Trains LeNet-5 on the synthetic digits twice: a slow start, and a run that reaches 97 %. */
async function twoRuns(page) {
  await page.goto(START);
  const control = (name) => page.getByRole('button', { name, exact: true });
  const set = (label, value) => page.getByLabel(label, { exact: true }).fill(value);
  const state = page.getByLabel('Status', { exact: true });
  await state.filter({ hasText: /^Ready$/ }).waitFor();
  await set('Batch size', '100');
  for (const [lr, accuracy] of [
    ['0.001', '90'],
    ['0.003', '97'],
  ]) {
    await set('Learning rate', lr);
    await page.getByRole('button', { name: /^Advanced/ }).click();
    await set('Target accuracy', accuracy);
    await control('Close').click();
    await control('Train').click();
    await state.filter({ hasText: /^Paused$/ }).waitFor(LONG);
    console.log('trained with a learning rate of', lr);
    if (accuracy === '90') await control('Stop').click();
  }
}
