// Pictures of every screen, light and dark, wide and on a phone: `npm run build && node scripts/screenshots.mjs [folder]`.
import { chromium } from '@playwright/test';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { preview } from 'vite';
import { findBrowser } from './browser.mjs';

const folder = resolve(process.argv[2] ?? 'screenshots');
const SIZES = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const THEMES = ['light', 'dark'];

mkdirSync(folder, { recursive: true });
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
try {
  const page = await browser.newPage({
    viewport: SIZES.wide,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  });
  await page.goto(address);
  // Something to see: two short runs.
  const control = (name) => page.getByRole('button', { name, exact: true });
  const state = page.getByLabel('Run state', { exact: true });
  await state.filter({ hasText: /^Ready$/ }).waitFor();
  await page.getByLabel('Batch size', { exact: true }).fill('100');
  await page.getByLabel('Rest at a test accuracy of', { exact: true }).fill('1');
  for (const lr of ['0.001', '0.003']) {
    await page.getByLabel('Learning rate', { exact: true }).fill(lr);
    await control('Train').click();
    await state.filter({ hasText: /^Paused$/ }).waitFor({ timeout: 180_000 });
    if (lr === '0.001') await control('Stop').click();
  }
  const links = page.getByRole('navigation', { name: 'Screens' }).getByRole('link');
  for (const name of await links.allTextContents()) {
    await links.filter({ hasText: new RegExp(`^${name}$`) }).click();
    await page.locator('main h2').filter({ visible: true }).first().waitFor();
    if (name === 'Runs') {
      await page.getByRole('region', { name: 'Table of runs' }).waitFor();
      for (const box of await page.getByRole('checkbox', { name: /^Compare/ }).all()) await box.check();
    }
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport);
      for (const theme of THEMES) {
        await page.getByRole('radio', { name: theme, exact: false }).check({ force: true });
        const path = join(folder, `${name.toLowerCase()}-${size}-${theme}.png`);
        await page.evaluate(() => scrollTo(0, 0));
        await page.screenshot({ path, fullPage: true });
        console.log(path);
      }
    }
    await page.setViewportSize(SIZES.wide);
  }
} finally {
  await browser.close();
  await server.close();
}
