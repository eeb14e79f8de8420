import type { Page } from '@playwright/test';
import { expect, expectAdapter, test } from './fixtures.ts';
import { RunPage } from './run.ts';
import { showScreen } from './screens.ts';

/** The line of a run with this name. */
const row = (page: Page, name: string | RegExp) =>
  page
    .getByRole('region', { name: 'Table of runs' })
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name, exact: true }) });

const FIRST = /^[a-z]+-[a-z]+-1$/;
const SECOND = /^[a-z]+-[a-z]+-2$/;

test('runs are saved, compared, forked, exported, imported and deleted', async ({ page }, info) => {
  const run = await RunPage.open(page);
  await expectAdapter(page);
  await run.chooseSmallModel();
  await run.set('Batch size', '500');
  await run.set('Learning rate', '0.01');
  await run.set('Target accuracy', '1');
  await run.press('Train');
  await expect(run.value('Status')).toHaveText('Stopped early');
  await run.press('Stop');
  await run.set('Learning rate', '0.03');
  await run.press('Train');

  // Here, since the status beside the button may still be the first run's.
  await showScreen(page, 'Runs');
  await expect(row(page, FIRST)).toBeVisible();
  await expect(row(page, SECOND)).toContainText('lr 0.01 → 0.03');
  await expect(row(page, SECOND)).toContainText(/\d %.*Stopped early.*step 20/);
  await showScreen(page, 'Train');
  await run.press('Stop');
  await showScreen(page, 'Runs');
  for (const box of await page.getByRole('checkbox', { name: /^Compare/ }).all()) await box.check();
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(page.getByRole('heading', { name: '2 runs compared' })).toBeFocused();
  await expect(page.getByRole('region', { name: 'Settings compared' })).toContainText('Learning rate');
  await expect(page.getByRole('region', { name: 'Confusion matrix difference' })).toBeVisible();

  // The details of one run.
  await row(page, FIRST).getByRole('button', { name: FIRST }).click();
  // In view, and the keyboard is there.
  await expect(page.getByRole('heading', { level: 2, name: FIRST })).toBeFocused();
  await expect(page.getByRole('heading', { level: 2, name: FIRST })).toBeInViewport();
  // A menu that is opened while the page still reads its runs stays open.
  await page.reload();
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await expect(page.getByRole('heading', { level: 2, name: FIRST })).toBeVisible();
  await expect(page.getByRole('dialog', { name: 'Menu', exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByLabel('Name', { exact: true }).fill('the first');
  await page.getByLabel('Note', { exact: true }).fill('slow');
  await page.getByLabel('Name', { exact: true }).focus();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const archive = info.outputPath('run.zip');
  await (await download).saveAs(archive);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(row(page, 'the first')).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row(page, 'the first')).toBeVisible();

  // On a tablet, and where 1280 pixels are enlarged fourfold, nothing is clipped or beyond the edge, in the list and in the
  // details.
  const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  const clipped = () =>
    page
      .getByRole('region', { name: 'Table of runs' })
      .getByRole('cell')
      .evaluateAll((cells) =>
        cells.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
      );
  for (const size of [
    { width: 768, height: 1024 },
    { width: 320, height: 256 },
  ]) {
    await page.setViewportSize(size);
    await expect.poll(beyond).toBeLessThanOrEqual(0);
    await expect.poll(clipped).toEqual([]);
  }
  await row(page, 'the first').getByRole('button', { name: 'the first', exact: true }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'the first' })).toBeInViewport();
  await expect(page.getByRole('region', { name: 'Table of runs' })).toBeHidden();
  await expect.poll(beyond).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('button', { name: 'the first', exact: true })).toBeFocused();
  await page.setViewportSize({ width: 1280, height: 800 });

  // Everything is available after a reload, and can be imported from the archive.
  await page.reload();
  await expect(row(page, 'the first')).toBeVisible();
  const choose = page.getByLabel('Archives of runs');
  await choose.setInputFiles(archive);
  await expect(page.getByText('Imported: the first (3).')).toBeVisible();

  // A fork of the imported run starts from its weights: better than random ones, from the first step on.
  await row(page, 'the first (3)').getByRole('button', { name: 'the first (3)', exact: true }).click();
  await expect(page.getByLabel('Note', { exact: true })).toHaveValue('slow');
  await page.getByRole('button', { name: 'Fork from step 20' }).click();
  const promise = page.getByText('The next run will be forked from the first (3)');
  await expect(promise.filter({ visible: true })).toBeVisible();
  await run.press('Step');
  await expect(run.value('Step')).toHaveText('1');
  expect(await run.read('Loss'), 'ln(10) is 2.303').toBeLessThan(2);
  await run.press('Stop');
  await showScreen(page, 'Runs');
  await expect(row(page, /^[a-z]+-[a-z]+-4$/)).toContainText('from the first (3), step 20');

  // A sweep: a run for each combination, and the best one can be opened.
  await page.getByRole('button', { name: 'Sweep' }).click();
  await page.getByLabel('Learning rates').fill('0.001, 0.03');
  await page.getByLabel('Batch sizes').fill('500');
  await page.getByRole('button', { name: 'Train 2 runs' }).click();
  await expect(page.getByText(/^Best: learning rate 0.03, batch 500/)).toBeVisible();
  await page.getByRole('button', { name: 'Open the best run' }).click();
  await page.getByRole('button', { name: 'Share card' }).click();
  const share = page.getByRole('dialog', { name: 'Share' });
  const picture = share.getByRole('img', { name: /^The run’s loss/ });
  await expect(picture).toBeVisible();
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1200);
  const file = page.waitForEvent('download');
  await share.getByRole('button', { name: 'Download', exact: true }).click();
  expect((await file).suggestedFilename()).toMatch(/^[a-z]+-[a-z]+-6\.png$/);
});

test('a link brings settings into another browser, reports its errors, and starts nothing', async ({
  page,
  browser,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const run = await RunPage.open(page);
  await run.set('Learning rate', '0.02');
  await run.set('Seed', '42');
  await run.openMenu();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('Link copied.')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(link).hash).toBe('#/train?v=2&lr=0.02&seed=42');

  const other = await browser.newContext({ serviceWorkers: 'block' });
  const elsewhere = await other.newPage();
  await elsewhere.goto(`${link}&batch=many`);
  const there = new RunPage(elsewhere);
  await there.ready();
  await expect(
    elsewhere.getByText('batch: expected a whole number from 1 to 65536, found “many”.'),
  ).toBeVisible();
  await expect(elsewhere.getByLabel('Learning rate', { exact: true })).toHaveValue('0.001');
  await elsewhere.getByRole('button', { name: 'Apply settings' }).click();
  await expect(elsewhere.getByLabel('Learning rate', { exact: true })).toHaveValue('0.02');
  await there.expectSetting('Seed', '42');
  await there.ready();
  expect(new URL(elsewhere.url()).hash).toBe('#/train');
  await other.close();

  // A first visit has nothing to lose: the link is taken at once, starts nothing, and can be undone.
  const fresh = await browser.newContext({ serviceWorkers: 'block' });
  const first = await fresh.newPage();
  await first.goto(link);
  const notice = first.getByRole('status').filter({ hasText: 'Settings taken from the link' });
  await expect(notice).toBeVisible();
  await expect(first.getByLabel('Learning rate', { exact: true })).toHaveValue('0.02');
  expect(new URL(first.url()).hash).toBe('#/train');
  await new RunPage(first).ready();
  await notice.getByRole('button', { name: 'Undo' }).click();
  await expect(first.getByLabel('Learning rate', { exact: true })).toHaveValue('0.001');
  await fresh.close();
});

test('the palette gives the focus back; single keys can be turned off', async ({ page }) => {
  const run = await RunPage.open(page);
  await run.command('theme dark');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  // Build takes the focus after the palette has given it back.
  await run.command('screen build');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('treegrid').locator(':focus')).toBeVisible();
  await page.getByRole('heading', { level: 2, name: 'Build' }).click();
  await page.keyboard.press('?');
  await page.getByLabel('Enable single-key shortcuts').uncheck();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 2, name: 'Build' })).toBeVisible();
  await page.keyboard.press('?');
  await expect(page).toHaveURL(/#\/build/);
});
