import { expectAccessible } from './axe.ts';
import { expectExportedPageAnswers } from './exported.ts';
import { expect, test } from './fixtures.ts';

test('an exported page opens from disk, answers a drawn digit, and asks no server', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await expectExportedPageAnswers(page);
  expect(asked.filter((url) => !url.startsWith('file:'))).toEqual([]);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(wide).toBeLessThanOrEqual(room);
});
