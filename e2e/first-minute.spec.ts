import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { RunPage, ZERO } from './run.ts';

/** What web.dev calls good is 0.1; here nothing moves. */
const MAX_SHIFT = 0.02;
const MAX_CLICKS = 8;

/** Lets the browser add up layout shifts that no input explains, and note when the pad was answered first. */
const watch = (page: Page) =>
  page.addInitScript(() => {
    const seen = { shift: 0, answeredAt: 0 };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      })[])
        if (!entry.hadRecentInput) seen.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
    const look = () => {
      const answer = [...document.querySelectorAll('label')].find((one) => one.textContent === 'Prediction');
      const output = answer && document.getElementById(answer.htmlFor);
      if (output && /^\d$/.test(output.textContent)) seen.answeredAt = performance.now();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });

interface Seen {
  shift: number;
  answeredAt: number;
}
const seen = (page: Page) => page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen);

/** Fails unless all of it is within the window, without scrolling. */
async function expectInWindow(page: Page, what: Readonly<Record<string, Locator>>): Promise<void> {
  const { width, height } = page.viewportSize()!;
  for (const [name, one] of Object.entries(what)) {
    const box = await one.boundingBox();
    expect(box, name).not.toBeNull();
    expect(box!.x, `${name}: left`).toBeGreaterThanOrEqual(0);
    expect(box!.y, `${name}: top`).toBeGreaterThanOrEqual(0);
    expect(box!.x + box!.width, `${name}: right`).toBeLessThanOrEqual(width);
    expect(box!.y + box!.height, `${name}: bottom`).toBeLessThanOrEqual(height);
  }
}

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** The pad answers soon after the page was opened, whatever else loads. */
async function arrive(page: Page): Promise<RunPage> {
  // The browser's own start is not the page's.
  await page.goto('data:text/html,wgrad');
  await watch(page);
  const run = new RunPage(page);
  await page.goto('./');
  await expect(run.answer()).toHaveText('3');
  expect((await seen(page)).answeredAt, 'ms until the pad was answered').toBeLessThan(2000);
  await expect(page.getByText(/^LeNet-5, trained by wgrad: 99\.\d %/)).toBeVisible();
  const drawn = Date.now();
  await run.draw(ZERO);
  await expect(run.answer()).toHaveText('0');
  expect(Date.now() - drawn, 'ms until a drawing was answered').toBeLessThan(2000);
  await run.ready();
  return run;
}

test.describe('on a laptop', () => {
  test.use({ viewport: { width: 1366, height: 768 } });

  test('a network answers on arrival, another learns from scratch, and everything is in view', async ({
    page,
  }) => {
    const run = await arrive(page);
    let clicks = 0;
    const click = async (what: Locator, force = false) => {
      clicks++;
      await what.click({ force });
    };
    const pressed = Date.now();
    await click(page.getByRole('radio', { name: 'From scratch' }), true);
    await run.reaches(1, 5000);
    expect(Date.now() - pressed, 'ms to the first step').toBeLessThan(5000);
    await expect(page.getByText(/^Prediction after [\d,]+ steps?\.$/)).toBeVisible();

    const rate = page.getByRole('slider', { name: 'Learning rate, logarithmic' });
    const figure = (name: string) =>
      page.getByRole('figure').filter({ has: page.getByRole('heading', { name, exact: true }) });
    const matrix = page.getByRole('region', { name: 'Counts by class' });
    await expect(matrix).toBeVisible({ timeout: 60_000 });
    await expectInWindow(page, {
      Loss: figure('Loss'),
      Accuracy: figure('Accuracy'),
      'Learning rate': rate,
      'Confusion matrix': matrix,
      Pad: page.getByRole('img', { name: /^Drawing pad/ }),
      Probabilities: page.getByRole('list', { name: 'Probabilities' }),
    });
    expect(await page.evaluate(() => document.documentElement.scrollHeight), 'px of the page').toBe(768);

    // A cursor on a curve moves neither the curves nor what is beside them.
    const charts = ['Loss', 'Accuracy', 'Learning rate', 'Gradient norm'].map(figure);
    const curves = charts.map((one) => one.locator('.u-over'));
    const still = [...charts, ...curves];
    const places = () => Promise.all(still.map((one) => one.boundingBox()));
    const before = await places();
    await curves[0].hover();
    await expect(figure('Loss').getByText(/^at step/)).toBeVisible();
    expect(await places()).toEqual(before);

    // A position of the slider acts while it trains.
    clicks++;
    await rate.press('ArrowRight');
    const changes = page.getByRole('region', { name: 'Changes during this run' });
    await expect(changes).toContainText(/learning rate 0\.001 → 0\.0011/);

    // The drawing was answered by the untrained network, and is answered by the one that has learnt.
    await expect(run.answer()).toHaveText('0', { timeout: 60_000 });
    await click(run.control('Pause'));
    await expect(run.value('Status')).toHaveText('Paused');
    await expectAccessible(page);

    // Beside the buttons of a zoom, there is room for what the device reaches.
    await run.pace(40);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    const reaches = page.getByText(/^full speed: /);
    expect(await reaches.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
    await page.getByRole('button', { name: 'Reset zoom' }).click();

    for (const name of ['Inspect', 'Lab', 'Doctor', 'Train'])
      await click(page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name, exact: true }));
    await expect(run.value('Status')).toHaveText('Paused');
    expect(clicks).toBeLessThanOrEqual(MAX_CLICKS);
    expect((await seen(page)).shift, 'cumulative layout shift').toBeLessThan(MAX_SHIFT);

    // Magnified four times, nothing sticks out sideways.
    await page.setViewportSize({ width: 341, height: 192 });
    expect(await overflow(page), 'px beyond the window').toBeLessThanOrEqual(0);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('the pad is at hand, the curve stays in view, and the rest is behind tabs', async ({ page }) => {
    const run = await arrive(page);
    const pad = page.getByRole('img', { name: /^Drawing pad/ });
    await expectInWindow(page, { Pad: pad, Train: run.control('Train') });
    let clicks = 1;
    const pressed = Date.now();
    await run.press('Train');
    await run.reaches(1, 5000);
    expect(Date.now() - pressed, 'ms to the first step').toBeLessThan(5000);
    await run.reaches(20);
    await page.mouse.wheel(0, 2000);
    const part = (name: string) => page.getByRole('radio', { name, exact: true });
    await expectInWindow(page, { Tabs: part('Try'), Train: run.control('Pause') });
    for (const [name, shown] of [
      ['Curves', page.getByRole('heading', { name: 'Loss', exact: true })],
      ['Mistakes', page.getByRole('heading', { name: 'Confusion matrix' })],
      ['Settings', page.getByLabel('Learning rate', { exact: true })],
      ['Try', pad],
    ] as const) {
      clicks++;
      await part(name).check({ force: true });
      await expect(shown).toBeVisible();
      expect(await overflow(page), `${name}: px beyond the window`).toBeLessThanOrEqual(0);
    }
    await run.press('Pause');
    expect(++clicks).toBeLessThanOrEqual(MAX_CLICKS);
    await expect(run.value('Status')).toHaveText('Paused');
    await expectAccessible(page);
    const screens = page.getByRole('navigation', { name: 'Screens' });
    await expect(screens.getByRole('link')).toHaveCount(4);
    await screens.getByRole('button', { name: 'More screens' }).click();
    await page.getByRole('link', { name: 'Build' }).click();
    await expect(page.getByRole('heading', { level: 2, name: 'Build' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Build' })).toBeHidden();
    expect((await seen(page)).shift, 'cumulative layout shift').toBeLessThan(MAX_SHIFT);
  });
});
