import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { RunPage, ZERO } from './run.ts';

const network = (page: Page) => page.getByRole('region', { name: 'The network at work' });
const map = (page: Page, name: string) => network(page).getByRole('button', { name: `${name}: look inside` });

test('the network that comes with the page is at work on arrival, and its maps lead to Inspect', async ({
  page,
}) => {
  const run = await RunPage.open(page);
  await expect(network(page).getByRole('img', { name: /^The network reads 3, / })).toBeVisible();
  await expect(network(page)).toContainText('A LeNet-5 trained before you came');
  await expect(network(page).getByRole('group', { name: 'conv1: 6 maps of 28 × 28' })).toHaveCount(1);

  // Another drawing, another picture.
  await run.draw(ZERO);
  await expect(network(page).getByRole('img', { name: /^The network reads 0, / })).toBeVisible();

  // A pointed value says what it reads.
  await map(page, 'conv2, map 4').hover();
  await expect(network(page)).toContainText(
    /^.*conv2\[4, \d+, \d+\] = .*, reads 6 × 5 × 5 of pool1, sees 14 × 14 pixels/,
  );

  // One stop for the keyboard, arrow keys from there.
  await map(page, 'conv1, map 0').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(map(page, 'conv1, map 2')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(map(page, 'pool1, map 2')).toBeFocused();
  await expect(network(page).locator('button[tabindex="0"]')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/inspect\/image/);
  await expect(page.getByRole('radio', { name: 'pool1' })).toBeChecked();
  await expect(page.getByLabel('Channel', { exact: true })).toHaveValue('2');

  // It follows the network that trains.
  await page.getByRole('link', { name: 'Train' }).click();
  await run.pace(40);
  await run.press('Train');
  await expect(network(page)).toContainText(/Your network after [\d,]+ steps?, at work on the pad/);
  const seen = await network(page).innerText();
  await expect.poll(() => network(page).innerText()).not.toBe(seen);
  await run.press('Pause');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('the picture is wider than the window, and scrolls alone', async ({ page }) => {
    await RunPage.open(page);
    await expect(map(page, 'conv1, map 0')).toBeVisible();
    const sizes = await network(page).evaluate((one) => {
      const canvas = one.querySelector('canvas')!;
      return { page: document.documentElement.scrollWidth, picture: canvas.clientWidth };
    });
    expect(sizes.page).toBeLessThanOrEqual(390);
    expect(sizes.picture).toBeGreaterThan(390);
    expect((await map(page, 'conv1, map 0').boundingBox())!.width).toBeGreaterThan(24);
  });
});

test('Train is presented to an audience: by key and by menu', async ({ page }) => {
  const run = await RunPage.open(page);
  const size = () => page.evaluate(() => parseFloat(getComputedStyle(document.documentElement).fontSize));
  const usual = await size();
  // A window of a projector has all of it larger.
  await page.setViewportSize({ width: 1920, height: 1080 });
  expect(await size()).toBeGreaterThan(1.2 * usual);
  await page.setViewportSize({ width: 1280, height: 800 });
  const advanced = page.getByRole('button', { name: /^Advanced/ });
  const rate = page.getByRole('slider', { name: 'Learning rate, logarithmic' });
  const loss = page.getByRole('heading', { name: 'Loss', exact: true });
  await expect(advanced).toBeVisible();

  // A key that is typed stays what it is.
  await page.getByLabel('Batch size', { exact: true }).press('p');
  await expect(advanced).toBeVisible();
  await page.getByRole('main').focus();
  await page.keyboard.press('p');
  await expect(page).toHaveURL(/#\/train\?present=1$/);
  await expect(advanced).toBeHidden();
  for (const one of [network(page), loss, rate, page.getByRole('img', { name: /^Drawing pad/ })])
    await expect(one).toBeVisible();
  expect(await size()).toBeGreaterThan(1.1 * usual);

  // All of it is in one window.
  const before = page.viewportSize()!;
  for (const [width, height] of [
    [1366, 768],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBe(height);
    await expect(rate).toBeInViewport({ ratio: 0.99 });
  }
  await page.setViewportSize(before);
  await page.keyboard.press('Escape');
  await expect(advanced).toBeVisible();
  expect(await size()).toBe(usual);

  await run.openMenu();
  await page.getByRole('button', { name: 'Present', exact: true }).click();
  await expect(advanced).toBeHidden();
  await page.getByRole('button', { name: 'End presenting' }).first().click();
  await expect(advanced).toBeVisible();
});
