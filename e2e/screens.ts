import { expect, type Page } from '@playwright/test';

/** Opens a screen by its link and waits until it has taken the place of the one before, whose elements stay, hidden. */
export async function showScreen(page: Page, name: string): Promise<void> {
  const screens = page.getByRole('navigation', { name: 'Screens', exact: true });
  const link = screens.getByRole('link', { name, exact: true });
  if (await link.isVisible()) await link.click();
  else {
    // On a phone, half of them are behind a button.
    await screens.getByRole('button', { name: 'More screens' }).click();
    await page.getByRole('dialog', { name: 'More screens' }).getByRole('link', { name, exact: true }).click();
  }
  await expect(page.locator('main')).toHaveAttribute('data-screen', name.toLowerCase());
}

/** Waits for the screen that was opened. Its panels may still be loading. */
export async function expectScreen(page: Page): Promise<void> {
  await expect(page.locator('main > p', { hasText: 'Loading…' }).filter({ visible: true })).toHaveCount(0);
  await expect(page.locator('main h2').filter({ visible: true }).first()).toBeVisible();
}

/** On a phone, nothing of a table has to be scrolled to sideways. */
export async function expectTablesFitPhone(page: Page): Promise<void> {
  const before = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  const tables = page.locator('main table').filter({ visible: true });
  await expect(tables.first()).toBeVisible();
  const cut = () =>
    tables.evaluateAll((all) =>
      (all as HTMLTableElement[])
        .filter(({ parentElement }) => parentElement!.scrollWidth > parentElement!.clientWidth)
        .map(({ caption }) => caption?.textContent),
    );
  await expect.poll(cut, 'tables that are cut off').toEqual([]);
  await page.setViewportSize(before);
}
