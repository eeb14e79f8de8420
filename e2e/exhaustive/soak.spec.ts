/**
 * Trains for a long time while the page is used: the memory of the page, buffers, nodes and listeners do not grow.
 * WGRAD_SOAK_MINUTES says how long.
 */
import type { CDPSession, Page } from '@playwright/test';
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

/** The slope of a straight line through the values, per minute, and its standard error. */
function slope(samples: readonly Sample[], key: keyof Sample): { slope: number; error: number } {
  const n = samples.length;
  const mean = (of: (one: Sample) => number) => samples.reduce((sum, one) => sum + of(one), 0) / n;
  const [x, y] = [mean((one) => one.minute), mean((one) => one[key])];
  const spread = samples.reduce((sum, one) => sum + (one.minute - x) ** 2, 0);
  const found = samples.reduce((sum, one) => sum + (one.minute - x) * (one[key] - y), 0) / spread;
  const rest = samples.reduce((sum, one) => sum + (one[key] - y - found * (one.minute - x)) ** 2, 0);
  return { slope: found, error: Math.sqrt(rest / Math.max(1, n - 2) / spread) };
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
    const values = later.map((one) => one[key]);
    const { slope: found, error } = slope(later, key);
    const range = `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}`;
    console.log(
      `${key}: ${range}, slope ${found.toFixed(3)} ± ${error.toFixed(3)} per minute, n ${later.length}`,
    );
    const least = Math.max(...values) / 200;
    // Over the whole time it grows by less than its noise, or by less than a tenth.
    expect(found, `growth of ${key} per minute`).toBeLessThan(Math.max(3 * error, (20 * least) / MINUTES));
  }
});
