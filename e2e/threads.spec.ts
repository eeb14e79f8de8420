import type { Page } from '@playwright/test';
import { browser } from './browser.ts';
import { expect, test } from './fixtures.ts';
import { expectSameLosses, writeDownLosses, writtenLosses } from './losses.ts';
import { RunPage } from './run.ts';
import { staticServer } from './static-server.ts';

// Without WebGPU, so that the CPU computes.
test.use({ launchOptions: browser(), serviceWorkers: 'allow' });

const STEPS = 12;

/** The chip at the top, if the page has so many threads. */
const chip = (page: Page, threads: number) =>
  page.getByRole('button', {
    name: `Device: CPU (WebAssembly, ${threads === 1 ? 'one thread' : `${threads} threads`})`,
  });

/** As many as the CPU engine uses where it can: one on a machine with one core. */
const manyThreads = (page: Page) => page.evaluate(() => Math.min(16, navigator.hardwareConcurrency));

const isolated = (page: Page) => page.evaluate(() => globalThis.crossOriginIsolated);

/** The losses of a few steps of LeNet-5. */
async function losses(page: Page): Promise<Record<string, string>> {
  const run = new RunPage(page);
  await run.set('Batch size', '16');
  await run.openLosses();
  await writeDownLosses(page);
  await run.press('Train');
  await run.reaches(STEPS);
  await run.press('Stop');
  return writtenLosses(page);
}

test('a host without headers: one thread at the first visit, then all cores, with the same losses', async ({
  page,
  baseURL,
}) => {
  const server = await staticServer(baseURL ?? '');
  await page.goto(server.address);
  await new RunPage(page).ready();
  expect(await isolated(page)).toBe(false);
  await expect(chip(page, 1)).toBeVisible();
  const single = await losses(page);

  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.reload();
  await new RunPage(page).ready();
  expect(await isolated(page)).toBe(true);
  const threads = await manyThreads(page);
  await expect(chip(page, threads)).toBeVisible();
  expectSameLosses(await losses(page), single, { after: 0, until: STEPS, atLeast: 5 });
  server.close();
});

test('a host that sends the headers: all cores at the first visit, data sets of other hosts by CORS, and nothing else', async ({
  page,
}) => {
  await RunPage.open(page);
  expect(await isolated(page)).toBe(true);
  await expect(chip(page, await manyThreads(page))).toBeVisible();
  const other = 'https://cdn.jsdelivr.net/data.gz';
  await page.route(other, (route) =>
    route.fulfill({ body: 'data', headers: { 'access-control-allow-origin': '*' } }),
  );
  expect(await page.evaluate(async (url) => (await fetch(url)).text(), other)).toBe('data');
});
