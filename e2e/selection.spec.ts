import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';

test('of a run on few images, some held back, curve and table say which images they are about', async ({
  page,
}) => {
  const run = await RunPage.open(page);
  await run.chooseSmallModel();
  await run.set('Validation share', '10');
  await run.set('Training images', '50');
  // As many as an epoch has steps for.
  await run.expectSetting('Batch size', '8');
  await run.open('Advanced');
  await page.getByRole('textbox', { name: 'Epochs', exact: true }).fill('2');
  await run.closePanel();
  await run.press('Train');
  await expect(run.value('Status')).toHaveText('Finished');
  const accuracy = page.getByRole('figure').filter({ has: page.getByRole('heading', { name: 'Accuracy' }) });
  await expect(accuracy.getByRole('term').filter({ hasText: 'validation' })).toBeVisible();
  await page.getByRole('button', { name: 'Accuracy in numbers' }).click();
  const tests = accuracy.getByRole('table', { name: 'Test results, latest epochs' });
  for (const title of ['Accuracy', 'Validation accuracy', 'Validation loss'])
    await expect(tests.getByRole('columnheader', { name: title, exact: true })).toBeVisible();
});
