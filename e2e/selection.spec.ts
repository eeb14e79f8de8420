import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';

const WEIGHTS = 'Class weights';

test('a run on few images with wrong labels, validated, has the same losses from its link', async ({
  page,
}) => {
  const run = await RunPage.open(page);
  await run.chooseSmallModel();
  await run.set('Validation share', '10');
  await run.set('Wrong labels', '20');
  await run.set('Training images', '50');
  // As many as an epoch has steps for.
  await run.expectSetting('Batch size', '8');
  await run.open('Advanced');
  await page.getByRole('textbox', { name: 'Epochs', exact: true }).fill('2');
  await page.getByLabel(WEIGHTS, { exact: true }).selectOption('Balanced');
  await page.getByLabel(WEIGHTS, { exact: true }).scrollIntoViewIfNeeded();
  await expectAccessible(page);
  await run.closePanel();

  await run.press('Train');
  await expect(run.value('Status')).toHaveText('Finished');
  expect(await run.read('Step')).toBe(13);
  await run.openLosses();
  const losses = await run.shownLosses();
  expect(losses.length).toBeGreaterThan(10);

  // The curve and the table say which images they are about.
  const accuracy = page.getByRole('figure').filter({ has: page.getByRole('heading', { name: 'Accuracy' }) });
  await expect(accuracy.getByRole('term').filter({ hasText: 'validation' })).toBeVisible();
  await page.getByRole('button', { name: 'Accuracy in numbers' }).click();
  const tests = accuracy.getByRole('table', { name: 'Test results, latest epochs' });
  for (const title of ['Accuracy', 'Validation accuracy', 'Validation loss'])
    await expect(tests.getByRole('columnheader', { name: title, exact: true })).toBeVisible();

  await test.step('too many images are refused at their field', async () => {
    await run.set('Training images', '9001');
    await run.open('Advanced');
    await expect(page.getByText('Enter a whole number from 1 to 9000.')).toBeVisible();
    await run.closePanel();
  });

  await test.step('the link sets the same, and a list of class weights', async () => {
    const settings = 'model=softmax_regression&batch=8&epochs=2&validation=10&images=50&wrong=20';
    const follow = (weights: string) =>
      page.goto(`./?weights=${weights}#/train?v=2&${settings}&classweights=${weights}`);
    await follow('balanced');
    await page.getByRole('button', { name: 'Apply settings' }).click();
    await run.ready();
    await run.expectSetting('Training images', '50');
    await run.expectSetting(WEIGHTS, 'balanced');
    await run.press('Train');
    await expect(run.value('Status')).toHaveText('Finished');
    await run.openLosses();
    expect(await run.shownLosses()).toEqual(losses);
    // Settings of a link are nobody's own: those of another one take their place at once.
    await follow('1,1,2,1,1,1,1,1,1,0.5');
    await run.ready();
    await run.expectSetting(WEIGHTS, '1,1,2,1,1,1,1,1,1,0.5');
  });
});
