/** Everything that the page shows, in four windows, light and dark, and on paper. Pictures of all of it are in test-results/. */
import type { Page } from '@playwright/test';
import { visitAll } from '../all-screens.ts';
import { expectAccessible } from '../axe.ts';
import { expect, test } from '../fixtures.ts';
import { RunPage } from '../run.ts';

const WINDOWS = [
  [390, 844],
  [768, 1024],
  [1366, 768],
  [1920, 1080],
] as const;

/** The width of a sheet of A4. */
const PAPER = { width: 794, height: 1123 };

/**
 * Texts of which a box hides a part that cannot be scrolled to. Lines that are hidden as a whole had no room, as intended; an
 * ellipsis says that there is more.
 */
const cutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    /** Descenders and the like may be beyond a line. */
    const SLACK = 3;
    const moves = (overflow: string) => overflow === 'auto' || overflow === 'scroll';
    const clips = (overflow: string) => overflow === 'hidden' || overflow === 'clip';
    /** The box that hides a part of this line. */
    const cutter = (line: DOMRect, inside: Element): Element | undefined => {
      for (let box: Element | null = inside; box; box = box.parentElement) {
        const { overflowX, overflowY, textOverflow, position, clipPath } = getComputedStyle(box);
        // A graph is dragged; a text with a clip path is for screen readers.
        if (moves(overflowX) || moves(overflowY) || clipPath !== 'none' || box.matches('.react-flow')) return;
        const edge = box.getBoundingClientRect();
        const [x, y] = [line.x + line.width / 2, line.y + line.height / 2];
        const isAway = x < edge.left || x > edge.right || y < edge.top || y > edge.bottom;
        if (clips(overflowX) && isAway) return;
        const beyond = {
          x: Math.max(line.right - edge.right, edge.left - line.left),
          y: Math.max(line.bottom - edge.bottom, edge.top - line.top),
        };
        if (clips(overflowX) && textOverflow !== 'ellipsis' && beyond.x > 1) return box;
        if (clips(overflowY) && beyond.y > SLACK) return box;
        if (position === 'fixed') return;
      }
      return undefined;
    };
    const cut = new Set<string>();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const parent = node.parentElement!;
      const isShown = parent.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      if (!isShown || node.textContent?.trim() === '') continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const line of range.getClientRects()) {
        const box = cutter(line, parent);
        if (box) cut.add(`${node.textContent} (by ${box.tagName} “${box.className}”)`);
      }
    }
    return [...cut];
  });

/** Looks at the page as it is, and takes its picture in both themes. */
async function examine(page: Page, name: string): Promise<void> {
  // All that is found is named; charts notice their new size a moment later.
  const found = expect.configure({ soft: true, timeout: 30_000 });
  const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await found.poll(beyond, `${name}: px beyond the window`).toBeLessThanOrEqual(0);
  await found.poll(() => cutTexts(page), `${name}: texts that are cut off`).toEqual([]);
  await expectAccessible(page);
  for (const theme of ['light', 'dark']) {
    await page.evaluate((to) => (document.documentElement.dataset['theme'] = to), theme);
    const path = test.info().outputPath(`${name.replaceAll(/\W+/g, '-')}-${theme}.png`);
    await page.screenshot({ path, fullPage: true });
  }
}

test('nothing sticks out sideways, no text is cut off, and axe finds nothing', async ({ page }) => {
  const run = await RunPage.open(page);
  const parts = page.getByRole('group', { name: 'Part of the screen' }).getByRole('radio');
  await visitAll(run, async (name) => {
    const before = page.viewportSize()!;
    for (const [width, height] of WINDOWS) {
      await page.setViewportSize({ width, height });
      await examine(page, `${name}, ${width}`);
      // A phone shows them one at a time.
      if (!(await parts.first().isVisible()) || (await page.getByRole('dialog').count()) > 0) continue;
      for (const part of (await parts.all()).toReversed()) {
        await part.check({ force: true });
        const title = await part.evaluate((one: HTMLInputElement) => one.labels![0]?.textContent);
        await examine(page, `${name}, ${width}, ${title}`);
      }
    }
    await page.setViewportSize(before);
  });
  await page.setViewportSize(PAPER);
  await page.emulateMedia({ media: 'print' });
  await examine(page, 'printed');
});
