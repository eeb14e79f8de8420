import { ANY_GPU, browser } from './browser.ts';
import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';

/** A camera that films a test picture, and a user who grants the page access. */
test.use({
  launchOptions: browser(ANY_GPU, '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'),
});

test('a camera fills the pad until it is closed, and is released', async ({ page }) => {
  await RunPage.open(page);
  const filming = () =>
    page.evaluate(() => {
      const stream = document.querySelector('video')?.srcObject;
      return stream instanceof MediaStream && stream.active;
    });
  await page.getByRole('button', { name: 'Camera' }).click();
  await expect(page.getByText(/^From the camera/)).toBeVisible();
  await expect(page.getByRole('img', { name: 'Drawing pad, showing an image' })).toBeVisible();
  expect(await filming()).toBe(true);
  await page.getByRole('button', { name: 'Take picture' }).click();
  await expect(page.getByLabel('Camera preview')).toBeHidden();
  await expect(page.getByText(/^From the camera/)).toBeVisible();

  // Leaving the screen also releases it, and returning does not open it.
  await page.getByRole('button', { name: 'Camera' }).click();
  await expect.poll(filming).toBe(true);
  await page.getByRole('link', { name: 'Lab' }).click();
  await page.getByRole('link', { name: 'Train' }).click();
  await expect(page.getByRole('button', { name: 'Camera' })).not.toHaveAttribute('aria-disabled');
  expect(await filming()).toBe(false);
});

test('a refused camera is explained', async ({ page }) => {
  await RunPage.open(page);
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'));
  });
  await page.getByRole('button', { name: 'Camera' }).click();
  await expect(page.getByText('Camera access is blocked.')).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).last().click();
  await expect(page.getByText('Camera access is blocked.')).toBeHidden();
});
