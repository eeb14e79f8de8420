import axe, { type AxeResults } from 'axe-core';
import { expect, type Page } from '@playwright/test';

/** Fails if axe finds a problem on the current page, light or dark. */
export async function expectAccessible(page: Page): Promise<void> {
  // During a transition between themes, contrast is undefined.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  for (const theme of ['Light', 'Dark']) {
    await page.getByRole('radio', { name: theme, exact: true }).check({ force: true });
    // Reporting passes would take most of the time.
    const { violations } = await page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })');
    const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
    expect(found, `what axe finds, ${theme.toLowerCase()}`).toEqual([]);
  }
}
