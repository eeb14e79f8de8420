import { readFileSync } from 'node:fs';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { panel, walk, WALKS } from './lessons.ts';
import { RunPage } from './run.ts';

/** Those that train least. The others are done at night, see exhaustive/lessons.spec.ts. */
const QUICK = ['loss', 'initialisation', 'own-photos'];

for (const name of QUICK)
  test(`the lesson “${name}” is done as a pupil would, a wrong guess first`, async ({ page }) => {
    await walk(page, name);
    await page.getByRole('link', { name: 'All lessons' }).click();
    await expect(page.getByRole('link', { name: new RegExp(WALKS[name].title) })).toContainText('Done');
  });

for (const [where, width, height] of [
  ['a laptop', 1366, 768],
  ['a phone', 390, 844],
] as const)
  test(`on ${where}, a lesson is found, read, begun and left; what was set before comes back`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    const run = await RunPage.open(page);
    if (width > 1000) await run.set('Batch size', '32');
    await test.step('Help and Ctrl K lead there', async () => {
      await page.keyboard.press('Control+k');
      await expect(page.getByRole('combobox', { name: 'Search commands' })).toBeFocused();
      await page.keyboard.type('lesson batch');
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/#\/lessons\/batch-size$/);
      await page.getByRole('link', { name: 'Help', exact: true }).click();
      await page.getByRole('link', { name: 'All lessons' }).click();
      await page.getByRole('link', { name: /What a loss is/ }).click();
    });
    await test.step('it is read without touching', async () => {
      await expect(page.getByText('Select Step. The network looks at 16 pictures')).toBeVisible();
      await page.getByText('What happened, and why').click();
      await expect(page.getByText('The loss here is called cross-entropy')).toBeVisible();
      await expectAccessible(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    });
    await page.getByRole('radio', { name: 'About 2.3' }).check();
    await page.getByRole('button', { name: 'Set it up' }).click();
    await expect(panel(page)).toContainText('steps trained: not measured yet');
    await expect(run.value('Step')).toHaveText('0');
    await expectAccessible(page);
    const box = (await panel(page).boundingBox())!;
    expect(box.y + box.height).toBeLessThanOrEqual(height);
    await page.reload();
    await expect(panel(page)).toContainText('Task 1 of 4');
    await panel(page).getByRole('button', { name: 'Make it small' }).click();
    await expect(panel(page).getByText('Select Step.')).toBeHidden();
    await panel(page).getByRole('button', { name: 'End lesson' }).click();
    await expect(panel(page)).toBeHidden();
    if (width > 1000) await run.expectSetting('Batch size', '32');
  });

test('a lesson that is made here opens by its link elsewhere, and by its file, and checks', async ({
  page,
  browser,
}) => {
  const run = await RunPage.open(page);
  await run.chooseSmallModel();
  await run.set('Batch size', '500');
  await page.goto('./#/lessons/new');
  await page.getByRole('button', { name: 'Begin with what is set now' }).click();
  await page.getByLabel('Title', { exact: true }).fill('Small <b>steps</b>');
  await expect(page.getByText(/texts\.title to be plain text, without HTML/)).toBeVisible();
  await page.getByLabel('Title', { exact: true }).fill('Small steps');
  await page.getByLabel('Check').selectOption('steps');
  await page.getByLabel('At least').fill('2');
  await expect(page.getByText('The lesson is complete.')).toBeVisible();
  await expectAccessible(page);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const file = await (await downloading).path();
  await page.getByRole('button', { name: 'Try it' }).click();
  await expect(page.getByRole('heading', { name: 'Small steps' })).toBeVisible();
  const address = page.url();

  const other = await browser.newContext();
  const there = await other.newPage();
  await there.goto(address);
  await expect(there.getByRole('heading', { name: 'Small steps' })).toBeVisible();
  await there.getByRole('radio', { name: 'Another answer' }).check();
  await there.getByRole('button', { name: 'Set it up' }).click();
  await expect(panel(there)).toContainText('wanted: 2 or more');
  await expect(new RunPage(there).value('Step')).toHaveText('0');
  for (let i = 1; i <= 2; i++) await there.getByRole('button', { name: 'Step', exact: true }).click();
  await expect(panel(there)).toContainText('It has learnt it.');
  await other.close();

  await test.step('files', async () => {
    await page.goto('./#/lessons');
    const open = async (text: string) =>
      page
        .getByLabel('Lesson file')
        .setInputFiles({ name: 'mine.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    const lesson = readFileSync(file, 'utf8');
    await open(lesson.replace('"atLeast": 2', '"atLeast": "many"'));
    await expect(page.getByRole('alert')).toContainText(
      'mine.json: expected tasks.0.checks.0.atLeast to be number, found “many”',
    );
    await open('{');
    await expect(page.getByRole('alert')).toContainText('mine.json: expected JSON');
    await expectAccessible(page);
    await open(lesson);
    await expect(page.getByRole('heading', { name: 'Small steps' })).toBeVisible();
  });
  await page.goto('./#/lessons/sent?lesson=abc');
  await expect(page.getByRole('alert')).toContainText('This link has no whole lesson in it');
});
