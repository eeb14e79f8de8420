import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';

/** Several networks are compiled and trained for a few dozen steps. */

test('Doctor passes a healthy run, and reports a learning rate that is far too large', async ({ page }) => {
  const run = await RunPage.open(page);
  await run.set('Batch size', '32');
  await page.getByRole('link', { name: 'Doctor', exact: true }).click();
  const verdict = page.getByRole('status', { name: 'Verdict' });
  await expect(verdict).toContainText('No checks run yet');
  const checks = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3 }) });
  await expect(checks).toHaveCount(9);
  const check = (title: string) => checks.filter({ has: page.getByRole('heading', { name: title }) }).first();

  await page.getByRole('button', { name: 'Run checks', exact: true }).click();
  await expect(verdict).toContainText(/^Running check \d of 9/);
  await expect(verdict).toHaveText('All 9 checks passed.');
  await expect(check('Initial loss')).toContainText('ln(10) is 2.303');
  await expect(check('Gradient check')).toContainText(/All 10 gradients agree with float64/);
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Train', exact: true }).click();
  await run.set('Learning rate', '10');
  await page.getByRole('link', { name: 'Doctor', exact: true }).click();
  await expect(page.getByText('learning rate 10', { exact: false }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Run checks again' }).click();
  await expect(verdict).toContainText(/^Problems found: \d failed/);
  for (const title of ['Overfitting one batch', 'Update-to-weight ratio'])
    await expect(check(title)).toContainText('Failed');
  // Failures come first. One thing is recommended, from the check that tried it, and its button is the only one.
  await expect(checks.first()).toContainText('Failed');
  await expect(check('Overfitting one batch')).toContainText(
    /Other learning rates were tried for 20 steps; the loss came to/,
  );
  await expect(check('Update-to-weight ratio')).not.toContainText('Suggested fix');
  const recommendation = page.getByRole('status', { name: 'Recommendation' });
  await expect(recommendation).toContainText(/^Lower the learning rate to 0\.\d+\./);
  const fix = page.getByRole('button', { name: /^Set learning rate to 0\.\d+$/ });
  const rate = /[\d.]+$/.exec(await fix.innerText())?.[0];
  await fix.click();
  await expect(page.getByText(`learning rate ${rate}`, { exact: false }).first()).toBeVisible();
  // Checks that do not depend on the learning rate still pass.
  for (const title of ['Images', 'Initial loss', 'Gradient check'])
    await expect(check(title)).toContainText('Passed');
  await expectAccessible(page);
});
