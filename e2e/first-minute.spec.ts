import type { Locator, Page, Request } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { slowness, takenFor } from './processor-time.ts';
import { RunPage, ZERO } from './run.ts';

/** What web.dev calls good is 0.1; here nothing moves. */
const MAX_SHIFT = 0.02;
const MAX_CLICKS = 8;
/** Milliseconds by which the main thread's tasks are longer than 50 until the pad is answered. 110 are usual. */
const MAX_BLOCKING_MS = 300;
/** Milliseconds of the page's process until the pad is answered, and from a click to the first step: twice to three times the usual. */
const MAX_ANSWER_MS = 5000;
const MAX_FIRST_STEP_MS = 9000;

/** Lets the browser add up layout shifts. */
const watch = (page: Page) =>
  page.addInitScript(() => {
    const seen = { shift: 0 };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        seen.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });

const shift = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { seen: { shift: number } }).seen.shift);

/** Fails if anything moves while `work` waits. What a click moves does so later on a slow machine, so there is none in it. */
async function expectStill(page: Page, work: () => Promise<void>): Promise<void> {
  const before = await shift(page);
  await work();
  expect((await shift(page)) - before, 'cumulative layout shift').toBeLessThan(MAX_SHIFT);
}

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

/** The pad answers before the images come from which a network could learn, and nothing else takes the processor from it. */
async function arrive(page: Page): Promise<RunPage> {
  // A file of the page's, so that the start of the process is not the page's.
  await page.goto('./first.js');
  await watch(page);
  let release = () => {};
  const released = new Promise<void>((done) => (release = done));
  await page.route(/\/train-images/, async (route) => {
    await released;
    await route.continue();
  });
  const run = new RunPage(page);
  const taken = await takenFor(page, async () => {
    await page.goto('./');
    await expect(run.answer()).toHaveText('3');
  });
  expect(await shift(page), 'cumulative layout shift').toBeLessThan(MAX_SHIFT);
  const slow = await slowness(page);
  expect(taken.blocking, 'ms of blocking tasks').toBeLessThan(MAX_BLOCKING_MS * slow);
  expect(taken.process, 'ms of the process until the pad was answered').toBeLessThan(MAX_ANSWER_MS * slow);
  await expect(page.getByText(/^LeNet-5, trained by wgrad: 99\.\d\d %/)).toBeVisible();
  await run.draw(ZERO);
  await expect(run.answer()).toHaveText('0');
  release();
  await run.ready();
  return run;
}

/** From a click to the first step nothing is fetched but the page's own code, and nothing else is computed. */
async function expectFirstStep(run: RunPage, click: () => Promise<void>): Promise<void> {
  const { page } = run;
  const asked: string[] = [];
  const note = (request: Request) => asked.push(new URL(request.url()).pathname);
  page.on('request', note);
  const taken = await takenFor(page, async () => {
    await click();
    await run.reaches(1);
  });
  page.off('request', note);
  expect(taken.process, 'ms of the process until the first step').toBeLessThan(
    MAX_FIRST_STEP_MS * (await slowness(page)),
  );
  expect(asked.filter((path) => !path.startsWith('/assets/'))).toEqual([]);
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
    await expectFirstStep(run, () => click(page.getByRole('radio', { name: 'From scratch' }), true));
    await expect(page.getByText(/^Prediction after [\d,]+ steps?\.$/)).toBeVisible();

    const rate = page.getByRole('slider', { name: 'Learning rate, logarithmic' });
    const figure = (name: string) =>
      page.getByRole('figure').filter({ has: page.getByRole('heading', { name, exact: true }) });
    // Before the first test nothing stands for what it will find, and the window is enough.
    const matrix = page.getByRole('region', { name: 'Counts by class' });
    const height = () => page.evaluate(() => document.documentElement.scrollHeight);
    if (await matrix.isHidden()) expect(await height(), 'px of the page').toBe(768);
    await expectStill(page, () => expect(matrix).toBeVisible());
    const network = page.getByRole('region', { name: 'The network at work' });
    await expectInWindow(page, {
      Network: network,
      Loss: figure('Loss'),
      Accuracy: figure('Accuracy'),
      'Learning rate': rate,
      'Title of the matrix': page.getByRole('heading', { name: 'Confusion matrix' }),
      Pad: page.getByRole('img', { name: /^Drawing pad/ }),
      Probabilities: page.getByRole('list', { name: 'Probabilities' }),
    });
    for (const [name, least] of [
      ['Loss', 150],
      ['Accuracy', 150],
    ] as const)
      expect((await figure(name).boundingBox())!.height, `${name}: px`).toBeGreaterThan(least);
    // Scrolled to, the matrix is whole, and the pad and the learning rate stay.
    await matrix.scrollIntoViewIfNeeded();
    await expectInWindow(page, {
      'Confusion matrix': matrix,
      'Learning rate': rate,
      Pad: page.getByRole('img', { name: /^Drawing pad/ }),
    });
    await page.evaluate(() => scrollTo(0, 0));

    // Who asks for more charts gets them, now and at the next visit.
    await expect(figure('Gradient norm')).toBeHidden();
    await page.getByRole('button', { name: 'More charts' }).click();
    expect(await page.evaluate(() => localStorage.getItem('wgrad.more-charts'))).toBe('on');

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
    await expect(run.answer()).toHaveText('0');
    await click(run.control('Pause'));
    await expect(run.value('Status')).toHaveText('Paused');

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

    // Magnified twice, nothing is held in place, where it would hide half of the rest.
    await page.setViewportSize({ width: 683, height: 384 });
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2));
    for (const held of [
      page.getByRole('banner'),
      page.getByRole('link', { name: 'Lab' }),
      run.control('Resume'),
    ])
      await expect(held).not.toBeInViewport();

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
    await expectFirstStep(run, () => run.press('Train'));
    await expectStill(page, () => run.reaches(20));
    await page.mouse.wheel(0, 2000);
    const part = (name: string) => page.getByRole('radio', { name, exact: true });
    const curve = page.getByRole('main').locator('figure > canvas').first();
    await expectInWindow(page, { Tabs: part('Try'), Curve: curve, Train: run.control('Pause') });
    await page.mouse.wheel(0, -4000);
    await expect(run.value('Images/s')).toBeInViewport({ ratio: 0.99 });
    for (const [name, shown] of [
      ['Curves', page.getByRole('heading', { name: 'Loss', exact: true })],
      [
        'Mistakes',
        page.getByRole('heading', { name: 'Confusion matrix' }).or(page.getByText(/^Mistakes appear/)),
      ],
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
    const screens = page.getByRole('navigation', { name: 'Screens' });
    await expect(screens.getByRole('link')).toHaveCount(4);
    await screens.getByRole('button', { name: 'More screens' }).click();
    await page.getByRole('link', { name: 'Build' }).click();
    await expect(page.getByRole('heading', { level: 2, name: 'Build' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Build' })).toBeHidden();
  });
});
