/**
 * Trains for a long time while the page is used: the memory of the page, buffers, nodes and listeners do not grow.
 * WGRAD_SOAK_MINUTES says how long.
 */
import type { CDPSession, Page } from '@playwright/test';
import { growth } from '../../scripts/trend.mjs';
import { expect, test } from '../fixtures.ts';
import { RunPage } from '../run.ts';
import { expectScreen } from '../screens.ts';

const MINUTES = Number(process.env['WGRAD_SOAK_MINUTES'] ?? 30);
const SAMPLE_EVERY_MS = Math.max(5000, (MINUTES * 60_000) / 120);
/** Until then, screens load for the first time and curves fill. */
const WARM_UP = 0.25;

interface Sample {
  minute: number;
  heapMiB: number;
  buffers: number;
  nodes: number;
  listeners: number;
}

async function sample(page: Page, cdp: CDPSession, minute: number): Promise<Sample> {
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners: listeners } = await cdp.send('Memory.getDOMCounters');
  const { buffers } = await page.evaluate<{ buffers: number }>('wgrad.ledger()');
  return { minute, heapMiB: usedSize / 2 ** 20, buffers, nodes, listeners };
}

test(`${MINUTES} minutes of training: memory, buffers, nodes and listeners stay`, async ({ page }) => {
  test.setTimeout((MINUTES + 5) * 60_000);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('HeapProfiler.enable');
  const run = await RunPage.open(page);
  await run.set('Batch size', '50');
  await run.press('Train');
  await run.reaches(1);
  const start = Date.now();
  const minute = () => (Date.now() - start) / 60_000;
  const samples: Sample[] = [];
  while (minute() < MINUTES) {
    for (const name of ['Build', 'Inspect', 'Runs', 'Train']) {
      await page
        .getByRole('navigation', { name: 'Screens' })
        .getByRole('link', { name, exact: true })
        .click();
      await expectScreen(page);
    }
    await run.draw([
      [0.5, 0.2],
      [0.5, 0.8],
    ]);
    await page.waitForTimeout(SAMPLE_EVERY_MS);
    samples.push(await sample(page, cdp, minute()));
  }
  await expect(run.value('Status')).toHaveText('Training');
  console.log(`${await run.read('Step')} steps in ${minute().toFixed(1)} minutes`);
  const later = samples.filter(({ minute: at }) => at > WARM_UP * MINUTES);
  for (const key of ['heapMiB', 'buffers', 'nodes', 'listeners'] as const) {
    const { text, grew } = growth(
      key,
      later.map((one) => [one.minute, one[key]]),
    );
    console.log(text);
    expect(grew, text).toBe(false);
  }
});
