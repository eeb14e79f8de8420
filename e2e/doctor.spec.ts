import { expectAccessible } from './axe.ts';
import { expect, expectAdapter, test } from './fixtures.ts';
import { RunPage } from './run.ts';

/** Networks are compiled and trained for some dozen steps, on a software GPU. */
const EXAMINED = { timeout: 300_000 };

test('the doctor finds a healthy run, and one whose learning rate is far too large', async ({ page }) => {
  test.setTimeout(900_000);
  const run = await RunPage.open(page);
  await expectAdapter(page);
  await run.set('Batch size', '32');
  await page.getByRole('link', { name: 'Doctor', exact: true }).click();
  const verdict = page.getByRole('status', { name: 'Verdict' });
  await expect(verdict).toContainText('Nothing examined yet');
  const checks = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3 }) });
  await expect(checks).toHaveCount(9);
  const check = (title: string) => checks.filter({ has: page.getByRole('heading', { name: title }) });

  await page.getByRole('button', { name: 'Examine', exact: true }).click();
  await expect(verdict).toContainText(/^Check \d of 9 is being made/);
  await expect(verdict).toHaveText('All is well: 9 fine.', EXAMINED);
  await expect(check('Loss at the start')).toContainText('ln(10) is 2.303');
  await expect(check('Gradients are right')).toContainText(/All 10 gradients agree with float64/);
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Train', exact: true }).click();
  await run.set('Learning rate', '10');
  await page.getByRole('link', { name: 'Doctor', exact: true }).click();
  await expect(page.getByText('learning rate 10', { exact: false }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Examine again' }).click();
  await expect(verdict).toContainText(/^Something is wrong: \d wrong/, EXAMINED);
  for (const title of ['Overfits one batch', 'Size of the steps']) {
    await expect(check(title)).toContainText('Wrong');
    await expect(check(title)).toContainText(/What to do:.*learning rate/);
  }
  // What has nothing to do with the learning rate is as it was.
  for (const title of ['Images differ', 'Loss at the start', 'Gradients are right'])
    await expect(check(title)).toContainText('Fine');
  await expectAccessible(page);
});
