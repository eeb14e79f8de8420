import { expect, expectAdapter, test } from './fixtures.ts';

test.use({ engine: 'gpu' });

test('the page opens, with WebGPU and everything a run needs', async ({ page }) => {
  await page.goto('./');
  await expect(page).toHaveTitle(/wgrad/);
  await expectAdapter(page);
  // Pause takes the place of Train.
  for (const name of ['Train', 'Step', 'Restart', 'Stop']) {
    await expect(page.getByRole('button', { name, exact: true })).toBeVisible();
  }
});
