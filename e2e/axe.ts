import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import { expect, type Page } from '@playwright/test';

/** Less than half as long as the default. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Fails if axe finds a problem on the current page, light or dark. */
export async function expectAccessible(page: Page): Promise<void> {
  // During a transition between themes, contrast is undefined.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  // What depends on colours is looked for in both themes.
  for (const [theme, rules] of [
    ['light', undefined],
    ['dark', ['color-contrast', 'link-in-text-block']],
  ] as const) {
    await page.evaluate((to) => (document.documentElement.dataset['theme'] = to), theme);
    // Reporting passes would take most of the time. Preloading is for videos and style sheets of other hosts.
    const options = JSON.stringify({ resultTypes: ['violations'], preload: false, runOnly: rules });
    const { violations } = await page.evaluate<AxeResults>(`axe.run(${options})`);
    const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
    expect(found, `what axe finds, ${theme}`).toEqual([]);
  }
}
