import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page, Route } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';

const MIRRORS = /^https:\/\/(cdn\.jsdelivr\.net|raw\.githubusercontent\.com)\//;
const FILES = [
  'train-images-idx3-ubyte.gz',
  'train-labels-idx1-ubyte.gz',
  't10k-images-idx3-ubyte.gz',
  't10k-labels-idx1-ubyte.gz',
];
const published = (name: string): string | undefined => {
  const folder = process.env['WGRAD_DATA_DIR'];
  return folder && existsSync(join(folder, 'mnist', name)) ? join(folder, 'mnist', name) : undefined;
};

/** Serves the mirrors' URLs, so that no test accesses the network. Counts the requests. */
async function mirrors(page: Page, answer: (route: Route, name: string) => Promise<void>) {
  const asked = { requests: 0 };
  await page.route(MIRRORS, async (route) => {
    asked.requests++;
    await answer(route, route.request().url().split('/').at(-1) as string);
  });
  return asked;
}

const send = (route: Route, body: Buffer | string) =>
  route.fulfill({
    body,
    headers: { 'access-control-allow-origin': '*', 'content-type': 'application/octet-stream' },
  });

async function openMnist(page: Page): Promise<RunPage> {
  const run = await RunPage.open(page);
  await run.choose('MNIST');
  return run;
}

const download = (page: Page) => page.getByRole('button', { name: /^(Retry download|Download)/ }).click();
const status = (page: Page) => page.getByRole('radio', { name: /^MNIST/ });

/** Nothing of a failed download remains, and the run reports what is missing. */
async function expectFailed(page: Page, run: RunPage, title: string, advice: RegExp): Promise<void> {
  await expect(page.getByRole('alert').filter({ hasText: title })).toContainText(advice);
  await expect(page.getByRole('radio', { name: 'MNIST failed' })).toBeVisible();
  await expect(run.control('Train')).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('button', { name: 'Retry download' })).toBeVisible();
  // The built-in data set can still be trained on.
  await run.choose('Synthetic digits');
  await expect(run.control('Train')).not.toHaveAttribute('aria-disabled', 'true');
}

test('a download shows its progress and can be cancelled; one that fails says why, with advice', async ({
  page,
  complaints,
}) => {
  complaints.allow(/net::ERR_/);
  const run = await openMnist(page);

  await test.step('its progress, and Cancel', async () => {
    let asked: () => void = () => undefined;
    const arrived = new Promise<void>((done) => (asked = done));
    let release: () => void = () => undefined;
    const held = new Promise<void>((done) => (release = done));
    await mirrors(page, async (route) => {
      asked();
      await held;
      await route.abort().catch(() => undefined);
    });
    await download(page);
    await arrived;
    await expect(page.getByRole('progressbar', { name: 'Downloading' })).toBeVisible();
    await expect(page.getByText('of 11.6 MB')).toBeVisible();
    await expect(run.control('Train')).toHaveAttribute('aria-disabled', 'true');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('button', { name: 'Download (11.6 MB)' })).toBeVisible();
    await expect(status(page)).toHaveAccessibleName('MNIST 11.6 MB');
    await expect(page.getByRole('alert')).toHaveCount(0);
    release();
    await page.unroute(MIRRORS);
  });

  await test.step('a dropped file of another data set: nothing changes', async () => {
    const transfer = await page.evaluateHandle(() => {
      const dropped = new DataTransfer();
      dropped.items.add(new File([Uint8Array.of(0xff, 0xd8, 0xff, 0xe0)], 'holiday.jpg'));
      return dropped;
    });
    await page.getByText('Or drop the files here').dispatchEvent('drop', { dataTransfer: transfer });
    await expect(page.getByRole('alert')).toContainText('holiday.jpg');
    await expect(status(page)).toHaveAccessibleName('MNIST 11.6 MB');
  });

  const failures: [answer: (route: Route) => Promise<void>, title: string, advice: RegExp][] = [
    [(route) => send(route, gzipSync(Buffer.alloc(1000, 7))), 'Checksum mismatch', /Download it again/],
    [(route) => route.abort('internetdisconnected'), 'Download failed', /Check your connection/],
  ];
  for (const [answer, title, advice] of failures) {
    const asked = await mirrors(page, answer);
    await run.choose('MNIST');
    await download(page);
    await expect.poll(() => asked.requests, 'each mirror was tried').toBe(2);
    await expectFailed(page, run, title, advice);
    await page.unroute(MIRRORS);
  }
});

if (FILES.every(published)) {
  const bytesOf = (name: string) => readFileSync(published(name) as string);

  test('a complete download is saved: it is available after a reload, without a request', async ({
    page,
  }) => {
    const asked = await mirrors(page, (route, name) => send(route, bytesOf(name)));
    const run = await openMnist(page);
    await download(page);
    await expect(status(page)).toHaveAccessibleName('MNIST ready');
    await expect(run.control('Train')).not.toHaveAttribute('aria-disabled', 'true');
    expect(asked.requests).toBe(FILES.length);
    await page.reload();
    await run.ready();
    await run.open('Data');
    await expect(status(page)).toHaveAccessibleName('MNIST ready');
    await run.choose('MNIST');
    await expect(page.getByRole('img', { name: /40 images: 5, 0, 4, 1, 9, 2, 1, 3/ })).toBeVisible();
    await run.chooseSmallModel();
    await run.press('Step');
    await expect(run.value('Step')).toHaveText('1');
    expect(asked.requests).toBe(FILES.length);
  });
}
