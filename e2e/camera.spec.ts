import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';

test('a camera fills the pad until it is closed, and is released; a refused one is explained', async ({
  page,
}) => {
  await RunPage.open(page);
  const filming = () =>
    page.evaluate(() => {
      const stream = document.querySelector('video')?.srcObject;
      return stream instanceof MediaStream && stream.active;
    });
  await page.getByRole('button', { name: 'Camera' }).click();
  await expect(page.getByText(/^From the camera/)).toBeVisible();
  await expect(page.getByRole('img', { name: 'Drawing pad, showing an image' })).toBeVisible();
  await expect(page.getByLabel('Prediction', { exact: true })).toBeInViewport({ ratio: 1 });
  expect(await filming()).toBe(true);
  await page.getByRole('button', { name: 'Take picture' }).click();
  await expect(page.getByLabel('Camera preview')).toBeHidden();
  await expect(page.getByText(/^From the camera/)).toBeVisible();

  // Leaving the screen also releases it, and returning does not open it.
  await page.getByRole('button', { name: 'Camera' }).click();
  await expect.poll(filming).toBe(true);
  await page.getByRole('link', { name: 'Lab' }).click();
  await page.getByRole('link', { name: 'Train', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Camera' })).not.toHaveAttribute('aria-disabled');
  expect(await filming()).toBe(false);

  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'));
  });
  await page.getByRole('button', { name: 'Camera' }).click();
  await expect(page.getByText('Camera access is blocked.')).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).last().click();
  await expect(page.getByText('Camera access is blocked.')).toBeHidden();
});

test('own pictures by class: taken with the camera, trained on and removed', async ({ page }) => {
  const run = await RunPage.open(page);
  const command = async (name: string) => {
    await run.command(name);
    await page.keyboard.press('Enter');
  };

  await command('Take pictures by class');
  await page.getByRole('button', { name: 'Turn on camera' }).click();
  await expect(page.getByText(/^Hold down the button of a class/)).toBeVisible();
  await page.getByRole('textbox', { name: 'Name of Class 1' }).fill('Rock');
  for (const name of ['Rock', 'Class 2']) {
    await page.getByRole('button', { name: `Hold to take pictures of ${name}` }).focus();
    await page.keyboard.down(' ');
    await expect(page.getByRole('region', { name }).getByText(/^\d\d+ pictures$/)).toBeVisible();
    await page.keyboard.up(' ');
  }
  await page.getByRole('button', { name: /^Use \d+ pictures$/ }).click();
  await expect(page.getByRole('dialog', { name: 'Your own pictures' })).toBeHidden();

  // The default batch size fits so few images.
  await expect.poll(() => run.read('Step')).toBe(0);
  await run.press('Train');
  await run.reaches(20);
  await run.press('Stop');

  await command('Browser storage');
  await page.getByRole('button', { name: 'Remove Your images' }).click();
  await page.getByRole('button', { name: 'Remove for good' }).click();
  await expect(page.getByText(/^No data set is saved/)).toBeVisible();
});
