import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';

// The faster the engine, the more steps are read back at once, into buffers of other sizes.
test.use({ engine: 'gpu' });

const ledger = (page: Page) => page.evaluate<{ buffers: number; bytes: number }>('wgrad.ledger()');

test('starting and stopping forty runs leaves as many buffers as one', async ({ page }) => {
  test.setTimeout(240_000);
  const run = await RunPage.open(page);
  expect(await ledger(page)).toEqual({ buffers: 0, bytes: 0 });
  await run.set('Batch size', '2');
  let first: { buffers: number; bytes: number } | undefined;
  for (let cycle = 0; cycle < 40; cycle++) {
    await run.press('Train');
    await expect(run.value('Status')).toHaveText('Training');
    await run.reaches(1);
    await run.press('Stop');
    await expect(run.value('Status')).toHaveText('Stopped');
    const now = await ledger(page);
    first ??= now;
    expect(now, `after ${cycle + 1} runs`).toEqual(first);
  }
  expect(first?.buffers).toBeGreaterThan(0);
});
