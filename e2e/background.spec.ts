import { chromium, type Page } from '@playwright/test';
import { ANY_GPU, freePort, windowedBrowser } from './browser.ts';
import { atFrames, atPace, expect, test as base, withoutEnd } from './fixtures.ts';
import { expectSameLosses, writeDownLosses, writtenLosses } from './losses.ts';
import { RunPage } from './run.ts';
import { expectScreen, showScreen } from './screens.ts';

/** Playwright passes these flags so that hidden pages are as fast as others; users' browsers do not have them. */
const AS_IF_SEEN = [
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
];

/** Playwright keeps its pages visible. With this option, it does not in a browser that is already running. */
const test = base.extend({
  page: async ({ baseURL, frames }, hand) => {
    const port = await freePort();
    const started = await chromium.launch({
      ...windowedBrowser(ANY_GPU, `--remote-debugging-port=${port}`),
      ignoreDefaultArgs: AS_IF_SEEN,
    });
    const found = await chromium.connectOverCDP(`http://127.0.0.1:${port}`, { noDefaults: true });
    const page = await found.contexts()[0].newPage();
    if (frames) await atFrames(page, frames);
    await withoutEnd(page);
    await atPace(page, 'full');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(baseURL ?? '');
    await hand(page);
    await started.close();
  },
});

/** Steps that a run trains meanwhile. */
const MORE = 5;

const isHidden = (page: Page) => page.evaluate(() => document.hidden);

/** Drags the mouse back and forth over a part of the page, for a second and until `done`. */
async function dragOver(page: Page, selector: string, done = async () => true): Promise<void> {
  const place = page.locator(selector).filter({ visible: true }).first();
  await place.scrollIntoViewIfNeeded();
  const box = await place.boundingBox();
  if (!box) throw new Error(`${selector} has no place on the page`);
  const [x, y] = [box.x + box.width / 4, box.y + box.height / 4];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let move = 1; move <= 25 || !(await done()); move++) {
    const part = (1 - Math.cos(move / 5)) / 4;
    await page.mouse.move(x + part * box.width, y + part * box.height);
    await page.waitForTimeout(40);
  }
  await page.mouse.up();
}

test('training continues while the tab is hidden, and while a user drags, zooms and switches screens', async ({
  page,
}) => {
  const run = new RunPage(page);
  await run.ready();
  // What is looked at meanwhile is the test, not how much it trains.
  await run.chooseSmallModel();
  await run.pace(40);
  await run.openLosses();
  await run.press('Train');
  await run.reaches(10);
  await writeDownLosses(page);

  const resumes = (what: string, meanwhile: () => Promise<void>) =>
    test.step(what, async () => {
      const before = await run.read('Step');
      await meanwhile();
      expect(await run.read('Step'), `steps, while ${what}`).toBeGreaterThan(before + MORE);
      await expect(run.value('Status')).toHaveText('Training');
    });

  const steps = await run.read('Step');
  await resumes('the tab is hidden', async () => {
    const other = await page.context().newPage();
    await other.bringToFront();
    await expect.poll(() => isHidden(page)).toBe(true);
    const hiddenAt = await run.read('Step');
    await run.reaches(hiddenAt + 20);
    expect(await isHidden(page)).toBe(true);
    await other.close();
    await page.bringToFront();
    await expect.poll(() => isHidden(page)).toBe(false);
  });
  await resumes('a chart is zoomed', async () => {
    // The losses are listed over theirs.
    const until = (await run.read('Step')) + MORE;
    const hasMoved = async () => (await run.read('Step')) > until;
    await dragOver(page, 'figure:has-text("Accuracy") .u-over', hasMoved);
    await expect(page.locator('[data-zoomed]')).toHaveCount(2);
    await page.getByRole('button', { name: 'Reset zoom' }).click();
  });
  await resumes('the graph is dragged', async () => {
    const before = await run.read('Step');
    await showScreen(page, 'Build');
    await page.getByRole('link', { name: 'Graph' }).click();
    await dragOver(page, '.react-flow__pane');
    await showScreen(page, 'Train');
    // A slow machine may have trained less in a second, but is still training.
    await run.reaches(before + MORE + 1);
  });
  await resumes('all screens are looked at', async () => {
    const names = await page.getByRole('navigation', { name: 'Screens' }).getByRole('link').allTextContents();
    for (const name of [...names, 'Train']) {
      await showScreen(page, name);
      await expectScreen(page);
    }
  });

  await run.press('Pause');
  await expect(run.value('Status')).toHaveText('Paused');
  const until = await run.read('Step');
  const disturbed = await writtenLosses(page);
  // The fastest at which the table shows every step.
  await run.pace(100);
  await run.press('Restart');
  await expect(run.value('Status')).toHaveText('Training');
  await writeDownLosses(page);
  await run.reaches(until);
  await run.press('Stop');
  expectSameLosses(disturbed, await writtenLosses(page), { after: steps, atLeast: 20 });
});
