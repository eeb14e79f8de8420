import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';
import { showScreen } from './screens.ts';

test('Doctor reports a learning rate that is far too large, and sets the one that it recommends', async ({
  page,
}) => {
  const run = await RunPage.open(page);
  await run.set('Batch size', '32');
  await run.set('Learning rate', '10');
  await showScreen(page, 'Doctor');
  await page.getByRole('button', { name: 'Run checks', exact: true }).click();
  const verdict = page.getByRole('status', { name: 'Verdict' });
  await expect(verdict).toContainText(/^Problems found: \d failed/);
  const checks = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3 }) });
  // Failures come first; what does not depend on the learning rate passes.
  await expect(checks.first()).toContainText('Failed');
  const check = (title: string) => checks.filter({ has: page.getByRole('heading', { name: title }) }).first();
  for (const title of ['Images', 'Initial loss', 'Gradient check'])
    await expect(check(title)).toContainText('Passed');
  await expectAccessible(page);
  const recommendation = page.getByRole('status', { name: 'Recommendation' });
  await expect(recommendation).toContainText(/^Lower the learning rate to 0\.\d+\./);
  const fix = page.getByRole('button', { name: /^Set learning rate to 0\.\d+$/ });
  const rate = /[\d.]+$/.exec(await fix.innerText())?.[0];
  await fix.click();
  await expect(page.getByText(`learning rate ${rate}`, { exact: false }).first()).toBeVisible();
});
