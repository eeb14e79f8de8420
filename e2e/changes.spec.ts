import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';
import { showScreen } from './screens.ts';

test('a user changes a run while it trains, forks it, and inspects its curves', async ({ page }) => {
  const run = await RunPage.open(page);
  await run.pace(20);
  await run.press('Train');
  await run.reaches(20);

  // The learning rate acts immediately, and is marked.
  await run.set('Learning rate', '0.002');
  const changes = page.getByRole('region', { name: 'Changes during this run' });
  await expect(changes).toContainText(/Step \d+: learning rate 0\.001 → 0\.002/);

  // The batch size waits for a restart, or for a fork.
  await run.set('Batch size', '32');
  const bar = page.getByText('1 pending change: batch size');
  await expect(bar).toBeVisible();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByLabel('Batch size', { exact: true })).toHaveValue('64');
  await run.set('Batch size', '32');
  await run.press('Pause');
  await expect(run.value('Status')).toHaveText('Paused');
  const step = await run.read('Step');
  await page.getByRole('button', { name: 'Fork from here' }).click();
  const origin = new RegExp(`rom [a-z]+-[a-z]+-1, step ${step.toLocaleString('en')}\\b`);
  await expect(changes).toContainText(origin);
  await expect(bar).toBeHidden();
  // Until the fork starts, the step is still that of the run before.
  await expect.poll(() => run.read('Step')).toBeLessThan(step);
  await run.reaches(20);
  // It starts from trained weights: guessing would give a loss of ln 10.
  expect(await run.read('Loss')).toBeLessThan(2);
  await run.press('Pause');
  await expect(run.value('Status')).toHaveText('Paused');

  // All charts share the cursor, each drawn in a frame of its own.
  const charts = ['Loss', 'Accuracy'].map((name) =>
    page.getByRole('figure').filter({ has: page.getByRole('heading', { name }) }),
  );
  const plot = charts[0].locator('.u-over');
  await plot.scrollIntoViewIfNeeded();
  const box = (await plot.boundingBox())!;
  const middle = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width / 2, middle);
  const atStep = () => Promise.all(charts.map((one) => one.getByText('at step').innerText()));
  await expect.poll(async () => new Set(await atStep()).size).toBe(1);

  // A drag zooms all of them.
  await page.mouse.down();
  await page.mouse.move(box.x + 0.75 * box.width, middle, { steps: 4 });
  await page.mouse.up();
  await expect(page.locator('[data-zoomed]')).toHaveCount(2);
  await page.getByRole('button', { name: 'Reset zoom' }).click();
  await expect(page.locator('[data-zoomed]')).toHaveCount(0);

  // Runs shows it like every fork, and draws its line from where it left its parent's.
  await showScreen(page, 'Runs');
  await expect(page.getByRole('region', { name: 'Table of runs' })).toContainText(origin);
  for (const choice of await page.getByRole('checkbox', { name: /^Compare/ }).all()) await choice.check();
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(
    page.getByText(/A fork, which continues another run with its weights, starts where it branched off\./),
  ).toBeVisible();
});
