import { expect, expectAdapter, test } from './fixtures.ts';
import { RunPage } from './run.ts';
import { expectScreen, showScreen } from './screens.ts';
import { staticServer } from './static-server.ts';

test.use({ serviceWorkers: 'allow' });

test('the second visit needs no network: the page opens, trains, and shows its other screens', async ({
  page,
  context,
}) => {
  const run = await RunPage.open(page);
  await expectAdapter(page);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await context.setOffline(true);
  // Only the service worker's files are available now, not the browser's HTTP cache.
  await page.reload();
  await run.ready();
  await run.chooseSmallModel();
  await run.set('Batch size', '16');
  await run.press('Train');
  await run.reaches(5);
  await run.press('Stop');
  for (const name of ['Build', 'Inspect', 'Lab', 'Profile', 'Doctor', 'Runs']) {
    await showScreen(page, name);
    await expectScreen(page);
    await expect(page.getByText('failed to load')).toHaveCount(0);
  }
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a page of one build gets all its files from that build, until the user requests the next', async ({
  page,
  baseURL,
}) => {
  const server = await staticServer(baseURL ?? '');
  const run = new RunPage(page);
  await page.goto(server.address);
  await run.ready();
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.reload();
  await run.ready();
  server.deploy();
  await page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update();
  });
  const offer = page.getByRole('button', { name: 'Reload' });
  await expect(offer).toBeVisible();
  const caches = () => page.evaluate(() => globalThis.caches.keys());
  expect(await caches(), 'both builds are whole meanwhile').toHaveLength(2);
  await offer.click();
  await expect(offer).toBeHidden();
  await run.ready();
  await expect.poll(caches).toEqual([expect.stringMatching(/ next$/)]);
  server.close();
});
