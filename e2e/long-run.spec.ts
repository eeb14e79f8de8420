import type { Page } from '@playwright/test';
import { count } from '../src/base/testing/tier.ts';
import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';

// The faster the engine, the more steps are read back at once, into buffers of other sizes.
test.use({ engine: 'gpu' });

const ledger = (page: Page) => page.evaluate<{ buffers: number; bytes: number }>('wgrad.ledger()');

/**
 * A software GPU takes as long for a run of LeNet-5 as for five of the model with the fewest kernels. train/leaks.gpu.test.ts
 * has a thousand runs.
 */
const RUNS = {
  // A second of steps, so that in each run all has been read that is read only now and then.
  'LeNet-5': { runs: 3, steps: 40 },
  'Softmax regression': { runs: count(7, 7, 17), steps: 1 },
};

test('starting and stopping many runs of two models leaves as many buffers as one of each', async ({
  page,
}) => {
  const run = await RunPage.open(page);
  // The device's speed may still be measured.
  await expect.poll(() => ledger(page)).toEqual({ buffers: 0, bytes: 0 });
  // Answering needs a buffer more, and comes at any time.
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await run.set('Batch size', '2');
  // At full speed, how many read-backs are in flight depends on what else the machine does.
  await run.pace(40);
  for (const [model, { runs, steps }] of Object.entries(RUNS)) {
    await page.getByRole('combobox', { name: 'Model' }).selectOption({ label: model });
    let most = 0;
    for (let cycle = 0; cycle < runs; cycle++) {
      await run.press('Train');
      await expect(run.value('Status')).toHaveText('Training');
      await run.reaches(steps);
      await run.press('Stop');
      await expect(run.value('Status')).toHaveText('Stopped');
      const buffers = async () => (await ledger(page)).buffers;
      // The first run may end before all is there. A run that leaves a buffer leaves one every time.
      if (cycle < 2) most = Math.max(most, await buffers());
      // What was just being read back is freed a moment later.
      await expect
        .poll(buffers, { message: `after ${cycle + 1} runs of ${model}` })
        .toBeLessThanOrEqual(most);
    }
    expect(most).toBeGreaterThan(0);
  }
});
