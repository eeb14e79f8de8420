import { expect, type Page } from '@playwright/test';

/** Waits for the screen that was opened. Its panels may still be loading. */
export async function expectScreen(page: Page): Promise<void> {
  await expect(page.locator('main > p', { hasText: 'Loading…' }).filter({ visible: true })).toHaveCount(0);
  await expect(page.locator('main h2').filter({ visible: true }).first()).toBeVisible();
}
