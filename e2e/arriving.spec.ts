import { fileURLToPath } from 'node:url';
import { slowServer, type Sent } from '../scripts/slow-server.ts';
import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';

test.use({ serviceWorkers: 'allow' });

const sum = (sent: readonly Sent[]) => sent.reduce((total, { bytes }) => total + bytes, 0);
const paths = (sent: readonly Sent[]) => sent.map(({ path }) => path);

test('what is needed first comes first, and nothing is sent twice', async ({ page }) => {
  const server = await slowServer(fileURLToPath(new URL('../dist', import.meta.url)));
  const run = new RunPage(page);
  // Images wait for the pad's answer, so what was sent by then is known.
  const images = new Promise<readonly Sent[]>((done) =>
    page.context().on('request', (request) => {
      if (request.url().includes('/datasets/')) done([...server.sent]);
    }),
  );
  await page.goto(server.address);
  const beforeImages = await images;
  expect(paths(beforeImages)).toContain('trained/lenet5.safetensors');
  expect(sum(beforeImages), paths(beforeImages).join('\n')).toBeLessThan(450_000);
  await run.ready();
  const beforeRun = [...server.sent];
  expect(paths(beforeRun).filter((path) => /Screen-|GraphView|WgslEditor|sw\.js/.test(path))).toEqual([]);
  // The images, and little else.
  expect(sum(beforeRun) - sum(beforeImages), paths(beforeRun).join('\n')).toBeLessThan(1_900_000);
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();

  await run.press('Train');
  await run.reaches(1);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  expect(paths(server.sent)).toContain('sw.js');
  const all = paths(server.sent);
  expect(all.filter((path, i) => all.indexOf(path) < i)).toEqual([]);
  server.close();
});

test('the worker is fetched beside the page’s own script, not after it', async ({ page }) => {
  const server = await slowServer(fileURLToPath(new URL('../dist', import.meta.url)));
  const worker = page.context().waitForEvent('request', (request) => /\/main-[^/]*\.js$/.test(request.url()));
  await page.route(/\/page-[^/]*\.js$/, async (route) => {
    await worker;
    await route.continue();
  });
  await page.goto(server.address);
  await expect(new RunPage(page).answer()).toHaveText(/^\d$/);
  server.close();
});
