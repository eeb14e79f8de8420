import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';
import { expectScreen, showScreen } from './screens.ts';

/** The commands that Ctrl K finds for a text, by their titles. */
async function found(page: Page, query: string): Promise<string[]> {
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Commands' });
  await palette.getByRole('combobox').fill(query);
  const titles = await palette.locator('[role=option] > :nth-child(2)').allTextContents();
  await page.keyboard.press('Escape');
  // A closed dialog has no role any more, before it is gone.
  await expect(page.locator('dialog')).toHaveCount(0);
  return titles;
}

/** The primary buttons of the screen that is shown: their texts, and the names of their verbs. */
const primaries = (page: Page) =>
  page
    .locator('main button[data-kind=primary]')
    .filter({ visible: true })
    .evaluateAll((all) => all.map((one) => [one.textContent, (one as HTMLElement).dataset['verb'] ?? '']));

test('Ctrl K finds every primary button of every screen, there and from elsewhere, and what else is done on a screen', async ({
  page,
}) => {
  await RunPage.open(page);
  const verbs = new Set<string>();
  const look = async () => {
    await expectScreen(page);
    for (const [text, verb] of await primaries(page)) {
      expect(await found(page, text), `found where it is shown: ${text}`).toContain(text);
      verbs.add(verb || text);
    }
  };
  const screens = await page.getByRole('navigation', { name: 'Screens' }).getByRole('link').allTextContents();
  expect(screens).toHaveLength(8);
  for (const screen of screens) {
    await test.step(screen, async () => {
      await showScreen(page, screen);
      if (screen === 'Runs') await page.getByRole('button', { name: 'Sweep' }).click();
      await look();
      const views = page.getByRole('navigation', { name: `${screen} views` }).getByRole('link');
      for (const view of (await views.allTextContents()).slice(1)) {
        await views.filter({ hasText: new RegExp(`^${view}$`) }).click();
        await look();
      }
    });
  }
  expect(verbs.size).toBeGreaterThan(10);
  await showScreen(page, 'Train');
  const others = ['Undo', 'Redo', 'Export…', 'Import', 'Sweep', 'Compute on the GPU', 'Stop measuring'];
  for (const verb of [...verbs, ...others]) expect(await found(page, verb), verb).toContain(verb);
});

test('a command opens its screen and does what its button does; one that is blocked says why', async ({
  page,
}) => {
  const run = await RunPage.open(page);
  await run.command('autotune');
  const tune = page.getByRole('option', { name: /Tune all/ });
  await expect(tune).toBeVisible();
  await page.keyboard.press('Escape');
  // Until the dialog is gone, keys are its own.
  await expect(page.locator('dialog')).toHaveCount(0);
  await run.command('race');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/lab\/race/);
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
  await run.command('train');
  const train = page.getByRole('option', { name: /^Train .*Run$/ });
  await expect(train).toContainText('The Lab is benchmarking');
  await page.getByRole('combobox', { name: 'Search commands' }).fill('stop measuring');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Race', exact: true })).toBeVisible();
  // Nothing was changed that could be undone.
  await run.command('undo');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/build/);
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
});
