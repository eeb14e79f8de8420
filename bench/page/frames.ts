/**
 * How long the page's main thread works in each sixtieth of a second while a run trains, by its own clock, so that a software GPU on
 * the same cores is not in it.
 */
import type { Locator, Page } from '@playwright/test';
import { framesDuring, percentile } from '../../scripts/frames.mjs';
import { add, type Box, type Samples } from './samples.ts';

const SECONDS = 5;
const rest = (page: Page, seconds = SECONDS) => page.waitForTimeout(1e3 * seconds);
const screen = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name, exact: true }).click();

/** What is done meanwhile. */
const DOINGS: Record<string, (page: Page) => Promise<void>> = {
  'Train, looked at': rest,
  'a chart zoomed': async (page) => {
    await drag(page, page.locator('.u-over').first());
    await page.getByRole('button', { name: 'Reset zoom' }).click();
  },
  'drawing on the pad': (page) => drag(page, page.getByRole('img', { name: /^Drawing pad/ }).first()),
  'Inspect, looked at': async (page) => {
    await screen(page, 'Inspect');
    await rest(page);
  },
  'Build, the graph dragged': async (page) => {
    await screen(page, 'Build');
    await page.getByRole('link', { name: 'Graph' }).click();
    await drag(page, page.locator('.react-flow__pane'));
  },
  'Profile, looked at': async (page) => {
    await screen(page, 'Profile');
    await rest(page);
  },
  'Runs, looked at': async (page) => {
    await screen(page, 'Runs');
    await rest(page);
  },
  'all screens in turn': async (page) => {
    for (const name of ['Inspect', 'Lab', 'Doctor', 'Runs', 'Build', 'Profile', 'Train']) {
      await screen(page, name);
      await rest(page, 0.7);
    }
  },
};

/** One visit, in which a run trains at full speed. @param address of the page */
export async function measureFrames(page: Page, address: string, samples: Samples): Promise<void> {
  await page.goto(address);
  const state = page.getByLabel('Status', { exact: true });
  await state.filter({ hasText: /^Ready$/ }).waitFor();
  await page.getByLabel('Batch size', { exact: true }).fill('16');
  await page.getByRole('button', { name: 'Train', exact: true }).click();
  await state.filter({ hasText: /^Training$/ }).waitFor();
  await rest(page, 2);
  for (const [doing, work] of Object.entries(DOINGS)) {
    const { frames, longest } = await framesDuring(page, () => work(page));
    for (const [what, ms] of [
      ['median', percentile(frames, 0.5)],
      ['99th percentile', percentile(frames, 0.99)],
      ['longest task', longest],
    ] as const)
      add(samples, `main thread per frame while it trains, ${doing}: ${what}`, 'ms of processor time', ms);
  }
}

/** Moves the pressed mouse to and fro over what is there, and releases it away from where it was pressed. */
async function drag(page: Page, locator: Locator): Promise<void> {
  await locator.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await locator.boundingBox()) as Box;
  const end = performance.now() + 1e3 * SECONDS;
  for (let move = 0; performance.now() < end; move++) {
    const part = 0.5 - Math.cos(move / 10) / 4;
    await page.mouse.move(x + part * width, y + part * height);
    if (move === 0) await page.mouse.down();
    await rest(page, 1 / 60);
  }
  await page.mouse.move(x + 0.75 * width, y + 0.75 * height);
  await page.mouse.up();
}
