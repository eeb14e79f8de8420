import type { Page } from '@playwright/test';
import { visitAll } from './all-screens.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';

/** Magnified four times, a window of 1280 pixels has 320: nothing may stick out sideways. */
async function expectNarrow(page: Page): Promise<void> {
  const before = page.viewportSize()!;
  await page.setViewportSize({ width: 320, height: 192 });
  const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  // Charts notice their new size a moment later.
  await expect.poll(beyond, 'px beyond the window').toBeLessThanOrEqual(0);
  await page.setViewportSize(before);
}

/** What a phone shows apart from the rest. */
async function expectPhone(page: Page): Promise<void> {
  const before = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  const part = (name: string) => page.getByRole('radio', { name, exact: true });
  await part('Mistakes').check({ force: true });
  await expectAccessible(page);
  await part('Settings').check({ force: true });
  await page.getByRole('button', { name: 'More screens' }).click();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.setViewportSize(before);
}

test('axe finds no problem on any screen or view of a model, light and dark, and magnified they fit', async ({
  page,
}) => {
  await visitAll(await RunPage.open(page), async (name) => {
    await expectAccessible(page);
    await expectNarrow(page);
    if (name === 'Train, paused') await expectPhone(page);
  });
});
