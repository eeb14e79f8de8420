// Draws public/icon-*.png from public/icon.svg in an installed browser: `node scripts/make-icons.mjs`.
import { chromium } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findBrowser } from './browser.mjs';

const folder = new URL('../public/', import.meta.url);
const svg = readFileSync(new URL('icon.svg', folder), 'utf8');

/** A maskable icon, which systems crop to their own shape: the picture is well inside, on a full background. */
const maskable = svg.replace(/ rx="8"/, '').replace('viewBox="0 0 32 32"', 'viewBox="-5 -5 42 42"');

const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
const page = await browser.newPage();
for (const [name, picture, size, ground] of [
  ['icon-192', svg, 192, 'transparent'],
  ['icon-512', svg, 512, 'transparent'],
  ['icon-maskable-512', maskable, 512, '#0b5fa5'],
]) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<style>body { margin: 0; background: ${ground} } svg { display: block; width: ${size}px }</style>${picture}`,
  );
  const path = fileURLToPath(new URL(`${name}.png`, folder));
  await page.screenshot({ path, omitBackground: true });
  console.log(path);
}
await browser.close();
