import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test as base, type Browser, type Frame, type Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { drawOn, ZERO } from './run.ts';
import { staticServer } from './static-server.ts';

/** Gzipped bytes of scripts until the pad of a card answers; the weights of its network are 100 kB more. */
const MOST_BYTES = 200_000;

/** A page of somebody else: another origin, and another site, than the page's. */
const test = base.extend<{ article: (frame: string) => Promise<string> }>({
  article: async ({ baseURL: _page }, provide) => {
    let html = '';
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<!doctype html><title>An article</title><h1>An article</h1>${html}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await provide(async (frame) => {
      html = frame;
      return `http://127.0.0.1:${port}/`;
    });
    server.closeAllConnections();
    server.close();
  },
});

const frameOf = (address: string) =>
  `<iframe src="${address}" title="A card" width="500" height="760"></iframe>`;

/** A page that keeps all that it is given, and in which no test has kept anything. */
async function visitor(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    serviceWorkers: 'allow',
    viewport: { width: 800, height: 900 },
  });
  return context.newPage();
}

function cardOf(page: Page): Frame {
  const frame = page.frames().find((one) => one !== page.mainFrame());
  if (!frame) throw new Error('expected a frame in the article, found none');
  return frame;
}

/** All that a page can store in a browser. Some browsers refuse a page in another page some or all of it: then there is nothing. */
const stored = (frame: Frame): Promise<Record<string, number>> =>
  frame.evaluate(async () => {
    const counts = {
      local: () => localStorage.length,
      session: () => sessionStorage.length,
      cookies: () => document.cookie.length,
      databases: async () => (await indexedDB.databases()).length,
      caches: async () => (await caches.keys()).length,
      workers: async () => (await navigator.serviceWorker.getRegistrations()).length,
      files: async () => {
        const folder = (await navigator.storage.getDirectory()) as unknown as {
          keys(): AsyncIterable<string>;
        };
        let files = 0;
        for await (const _ of folder.keys()) files++;
        return files;
      },
    };
    const found: Record<string, number> = {};
    for (const [kind, count] of Object.entries(counts)) {
      try {
        found[kind] = await count();
      } catch (error) {
        // Chromium with windows: SecurityError, and of databases "The user denied permission to access the database."
        const { name, message } = error as Error;
        if (name !== 'SecurityError' && !message.includes('denied permission')) throw error;
        found[kind] = 0;
      }
    }
    return found;
  });
const NOTHING = { local: 0, session: 0, cookies: 0, databases: 0, caches: 0, workers: 0, files: 0 };

test('in a page of another origin the pad answers, with little code, and stores nothing', async ({
  browser,
  article,
  baseURL,
}) => {
  const page = await visitor(browser);
  const scripts: Promise<number>[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js'))
      scripts.push(response.body().then((body) => gzipSync(body).length));
  });
  await page.goto(await article(frameOf(`${baseURL}embed.html?card=pad`)));
  const card = page.frameLocator('iframe');
  const answer = card.getByLabel('Prediction', { exact: true });
  await expect(answer).toHaveText('3');
  const bytes = (await Promise.all(scripts)).reduce((sum, one) => sum + one, 0);
  expect(bytes).toBeLessThan(MOST_BYTES);
  // Much less would mean that scripts were missed.
  expect(bytes).toBeGreaterThan(MOST_BYTES / 3);

  await drawOn(page, card.getByRole('img', { name: /^Drawing pad/ }), ZERO);
  await expect(answer).toHaveText('0');
  const frame = cardOf(page);
  expect(await frame.evaluate(() => crossOriginIsolated)).toBe(false);
  await expect(card.getByText(/one thread of the processor/)).toBeVisible();
  const open = card.getByRole('link', { name: 'Open in wgrad' });
  await expect(open).toHaveAttribute('target', '_blank');
  expect(await stored(frame)).toEqual(NOTHING);
  const [wgrad] = await Promise.all([page.waitForEvent('popup'), open.click()]);
  await expect(wgrad.getByRole('navigation', { name: 'Screens', exact: true })).toBeVisible();
  await page.context().close();
});

test('a card of a run has the settings of its address, trains on one thread when asked, and stores nothing', async ({
  browser,
  article,
  baseURL,
}) => {
  const page = await visitor(browser);
  const address = `${baseURL}embed.html?card=loss&engine=cpu&v=2&model=softmax&batch=500&until=1`;
  await page.goto(await article(frameOf(address)));
  const card = page.frameLocator('iframe');
  await expect(card.getByLabel('Status', { exact: true })).toHaveText('Ready');
  await expect(card.getByLabel('Step', { exact: true })).toHaveText('0');
  await expect(card.getByText(/one thread of the processor/)).toBeVisible();
  await card.getByRole('button', { name: 'Train', exact: true }).click();
  await expect(card.getByLabel('Status', { exact: true })).toHaveText('Stopped early');
  await expect(card.getByLabel('Test accuracy', { exact: true })).toHaveText(/ %$/);
  expect(await stored(cardOf(page))).toEqual(NOTHING);
  await page.context().close();
});

test('the browser refuses every other path in a frame', async ({ browser, article, baseURL }) => {
  const page = await visitor(browser);
  for (const path of ['', 'index.html', '#/inspect', 'embed.html/', 'sw.js', 'assets/']) {
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
    await page.goto(await article(frameOf(`${baseURL}${path}`)));
    await refused;
    await expect(page.frameLocator('iframe').locator('header')).toHaveCount(0);
  }
  await page.context().close();
});

test('the service worker says the same, also where the host sends no headers', async ({
  browser,
  baseURL,
}) => {
  const server = await staticServer(baseURL ?? '');
  const page = await visitor(browser);
  await page.goto(server.address);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.reload();
  const said = (path: string) =>
    page.evaluate(async (file) => {
      const { headers } = await fetch(file);
      return [headers.get('content-security-policy'), headers.get('x-frame-options')];
    }, path);
  await expect.poll(() => said('./embed.html')).toEqual([expect.stringMatching(/frame-ancestors \*$/), null]);
  expect(await said('./index.html')).toEqual([expect.stringMatching(/frame-ancestors 'none'$/), 'DENY']);
  await page.context().close();
  server.close();
});

test('cards are accessible, and one that does not exist says which do', async ({ page }) => {
  await page.goto('./embed.html?card=brain');
  await expect(page.getByText('found “brain”')).toBeVisible();
  await page.getByRole('link', { name: 'pad' }).click();
  await expect(page.getByLabel('Prediction', { exact: true })).toHaveText('3');
  await expect(page).toHaveTitle('Draw a digit · wgrad');
  await expectAccessible(page);
});
