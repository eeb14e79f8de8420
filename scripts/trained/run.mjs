// `npm run build && npm run recorded`: trains LeNet-5 on the synthetic digits for 150 steps on the page, and writes its
// losses and accuracies to src/app/charts/curve/recorded-run.json: what lies behind the axes until the first step.
import { writeFileSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { preview } from 'vite';
import { findBrowser } from '../browser.mjs';

const STEPS = 150;

const server = await preview({ preview: { port: 0 }, logLevel: 'warn' });
const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({
    baseURL: server.resolvedUrls?.local[0],
    viewport: { width: 1366, height: 768 },
    serviceWorkers: 'block',
  });
  await page.goto('./?engine=cpu');
  await page.getByLabel('Status', { exact: true }).filter({ hasText: 'Ready' }).waitFor();
  await page.getByRole('button', { name: 'Train', exact: true }).click();
  await page.waitForFunction(
    (steps) => Number(document.querySelectorAll('output')[2]?.textContent) >= steps,
    STEPS,
    { timeout: 120_000 },
  );
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.getByLabel('Status', { exact: true }).filter({ hasText: 'Paused' }).waitFor();
  const points = await page.evaluate(async () => {
    const opened = await new Promise((done) => {
      const request = indexedDB.open('wgrad-runs');
      request.onsuccess = () => done(request.result);
    });
    const store = opened.transaction('records').objectStore('records');
    const [record] = await new Promise((done) => {
      const request = store.getAll();
      request.onsuccess = () => done(request.result);
    });
    const { smoothLoss, smoothAccuracy } = record.points;
    return { loss: [...smoothLoss], accuracy: [...smoothAccuracy] };
  });
  const short = Object.fromEntries(
    Object.entries(points).map(([name, values]) => [
      name,
      values.slice(0, STEPS).map((value) => Number(value.toFixed(2))),
    ]),
  );
  const path = 'src/app/charts/curve/recorded-run.json';
  writeFileSync(path, `${JSON.stringify(short)}\n`);
  console.log(path, short.loss.length, 'steps, loss', short.loss.at(-1), 'accuracy', short.accuracy.at(-1));
} finally {
  await browser.close();
  await server.close();
}
