import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';

/** The number of pixels of a canvas that are neither grey nor transparent. */
const colouredPixels = (canvas: Locator): Promise<number> =>
  canvas.evaluate((element) => {
    const { width, height } = element as HTMLCanvasElement;
    const context = (element as HTMLCanvasElement).getContext('2d');
    const { data } = context?.getImageData(0, 0, width, height) ?? { data: [] };
    let count = 0;
    for (let i = 0; i < data.length; i += 4) {
      const [red, green, blue] = data.slice(i, i + 3);
      if (data[i + 3] > 0 && (red !== green || green !== blue)) count++;
    }
    return count;
  });

const samples = (page: Page) => page.getByRole('img', { name: /^The first 40 images/ });

test('the synthetic shapes are shown in colour, also on the pad, and augmented', async ({ page }) => {
  const run = await RunPage.open(page);
  const settings = page.getByRole('button', { name: /^Advanced/ });
  await test.step('the shapes are built in and shown in colour', async () => {
    // Runs of these tests have no end, which is a setting.
    await expect(settings).toHaveText('Advancedepochs');
    await run.choose('Synthetic shapes');
    await expect(page.getByRole('radio', { name: 'Synthetic shapes ready' })).toBeVisible();
    await expect(page.getByText('5,000 training and 1,000 test images')).toBeVisible();
    await expect.poll(() => colouredPixels(samples(page))).toBeGreaterThan(10_000);
    await samples(page).click({ position: { x: 5, y: 5 } });
    await expect(page.getByText(/^Network input:\s*32 × 32$/)).toBeVisible();
    expect(
      await colouredPixels(page.getByRole('img', { name: 'The image as the network receives it' })),
    ).toBeGreaterThan(500);
  });
  await test.step('they are augmented by default, and the augmented images are shown', async () => {
    await expect(settings).toHaveText('Advanced3 changed');
    const pixels = () =>
      samples(page).evaluate((element) => (element as HTMLCanvasElement).toDataURL().slice(-20_000));
    const plain = await pixels();
    await page.getByRole('radio', { name: 'Augmented' }).check();
    await expect.poll(pixels).not.toBe(plain);
    const first = await pixels();
    await page.getByRole('button', { name: 'Resample' }).click();
    await expect.poll(pixels).not.toBe(first);
    await run.open('Advanced');
    await run.set('Random crop', '0');
    await page.getByRole('checkbox', { name: 'Mirror', exact: true }).uncheck();
    await run.open('Data');
    await expect(page.getByRole('radio', { name: 'Augmented' })).toBeHidden();
    await expect.poll(pixels).toBe(plain);
  });
});
