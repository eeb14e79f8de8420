import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
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
  await expect(network(page).getByRole('group', { name: 'conv1: 6 maps of 28 × 28' })).toBeVisible();
  // What a test would find has no place yet.
  await expect(page.getByRole('heading', { name: 'Confusion matrix' })).toBeHidden();
  await expect(page.getByRole('heading', { name: 'First-layer filters' })).toBeHidden();
  await expectAccessible(page);

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
