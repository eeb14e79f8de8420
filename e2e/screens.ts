import { expect, type Page } from '@playwright/test';

/** Opens a screen by its link and waits until it has taken the place of the one before, whose elements stay, hidden. */
export async function showScreen(page: Page, name: string): Promise<void> {
  const link = page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name, exact: true });
  await link.click();
  await expect(link).toHaveAttribute('aria-current', 'page');
}

/** Waits for the screen that was opened. Its panels may still be loading. */
export async function expectScreen(page: Page): Promise<void> {
  await expect(page.locator('main > p', { hasText: 'Loading…' }).filter({ visible: true })).toHaveCount(0);
  await expect(page.locator('main h2').filter({ visible: true }).first()).toBeVisible();
}
