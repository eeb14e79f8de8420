import { PNG } from 'pngjs';
import { expect, expectAdapter, test } from './fixtures.ts';
import { RunPage } from './run.ts';

/** A black bar on white paper: a one. */
function one(): Buffer {
  const picture = new PNG({ width: 60, height: 80 });
  for (let i = 0; i < 60 * 80; i++) {
    const [x, y] = [i % 60, Math.floor(i / 60)];
    const ink = x >= 27 && x < 33 && y >= 20 && y < 60;
    picture.data.set(ink ? [0, 0, 0, 255] : [255, 255, 255, 255], 4 * i);
  }
  return PNG.sync.write(picture);
}

test('a mistake is traced down to one value of the first convolution', async ({ page }) => {
  const run = await RunPage.open(page);
  await expectAdapter(page);
  // Enough steps for some correct predictions, few enough for many mistakes, and no epoch's end on the way.
  await run.pace(40);
  await run.set('Batch size', '16');
  await run.set('Learning rate', '0.003');
  await run.press('Train');
  await run.reaches(30);
  await page.getByRole('link', { name: 'Inspect' }).click();
  await page.getByRole('link', { name: 'Mistakes' }).click();
  await expect(page.getByText('Not tested yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Test now' }).click();
  const gallery = page.getByRole('list', { name: 'Test images' });
  await expect(gallery).toBeVisible();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(page.getByText(/^Step \d+, paused$/)).toBeVisible();

  const cell = page.getByRole('button', { name: /^\d+: \d predicted as \d$/ }).first();
  const [, count, trueClass, predicted] = /^(\d+): (\d) predicted as (\d)$/.exec(
    (await cell.getAttribute('aria-label')) ?? '',
  )!;
  await cell.click();
  await expect(page.getByText(`of ${count}, tested at step`)).toBeVisible();
  await expect(gallery.getByRole('button').first()).toHaveAccessibleName(
    new RegExp(`^${trueClass} predicted as ${predicted} with `),
  );

  await gallery.getByRole('button').first().click();
  const pad = page.getByRole('region', { name: 'Draw a digit' });
  await expect(pad.getByText(/^Test image \d/)).toBeVisible();
  await page.getByRole('radio', { name: /conv1/ }).check({ force: true });
  for (const [label, value] of [
    ['Channel', '2'],
    ['Row', '10'],
    ['Column', '12'],
  ]) {
    await page.getByLabel(label, { exact: true }).fill(value);
  }
  const arithmetic = page.getByRole('region', { name: 'How this value is computed' });
  await expect(arithmetic.getByText('Patch at row 8, column 10.')).toBeVisible();
  await expect(page.getByText('Matches the network’s value')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Products' }).getByRole('cell')).toHaveCount(25);

  // The filter moves over its input, here without motion: place by place.
  const place = (row: string, column: string) =>
    page.getByRole('img', { name: `Channel 0 of input, with the patch at row ${row}, column ${column}` });
  await expect(place('8', '10')).toBeVisible();
  await page.getByRole('button', { name: 'Next place' }).click();
  await page.getByRole('button', { name: 'Next place' }).click();
  await expect(place('-2', '-1')).toBeVisible();

  // Pooling takes the largest of four values.
  await page.getByRole('radio', { name: 'pool1', exact: true }).check({ force: true });
  await expect(arithmetic.getByText('Matches the network’s value')).toBeVisible();

  // The evidence for a class, and the images that are most alike.
  await page.getByText('Grad-CAM', { exact: true }).click();
  await expect(page.getByText(/Evidence for \d \([<>]?\d+ %\)/)).toBeVisible();
  await page.getByText('Occlusion', { exact: true }).click();
  await expect(page.getByText(/the probability of \d \(|No evidence for \d \(/)).toBeVisible();
  const nearest = page.getByRole('list', { name: 'Nearest training images' });
  await nearest.scrollIntoViewIfNeeded();
  await expect(nearest.getByRole('button')).toHaveCount(8);
});

test('pictures are read from files and the clipboard, and the batch is shown as the network received it', async ({
  page,
}) => {
  const run = await RunPage.open(page);
  await run.set('Batch size', '8');
  await page.getByRole('link', { name: 'Inspect' }).click();
  // It opens on the network that comes with the page, at work, and says whose it is.
  await expect(page.getByRole('region', { name: 'Layers of the network' })).toBeVisible();
  await expect(page.getByText('A trained LeNet-5, before your first run')).toBeVisible();
  await page.getByRole('link', { name: 'Batch' }).click();
  await expect(page.getByText('No run yet')).toBeVisible();
  await expect(page.getByText('No batch yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Step' }).first().click();
  const batch = page.getByRole('list', { name: 'Images of the batch' });
  await expect(batch.getByRole('button')).toHaveCount(8);
  await expect(page.getByText(/as numbers from −0\.\d+ to \d/)).toBeVisible();

  // One step is enough for histograms of every layer.
  await page.getByRole('link', { name: 'Histograms' }).click();
  await expect(page.getByRole('img', { name: /^fc3, from step 1 to 1: values from/ })).toBeVisible();

  // Hardly any of the test images is where it belongs yet.
  await page.getByRole('link', { name: 'Map', exact: true }).click();
  await expect(
    page.getByRole('img', { name: /^500 images at step 1, \d+ of them misclassified$/ }),
  ).toBeVisible();
  // Its points fill it, from edge to edge in both directions.
  const filled = await page.getByRole('img', { name: /^500 images at step 1/ }).evaluate((map) => {
    const all = [...map.querySelectorAll('circle')].map((point) => point.getBoundingClientRect());
    const across = (low: 'left' | 'top', high: 'right' | 'bottom') =>
      Math.max(...all.map((box) => box[high])) - Math.min(...all.map((box) => box[low]));
    const { width, height } = map.getBoundingClientRect();
    return Math.min(across('left', 'right') / width, across('top', 'bottom') / height);
  });
  // Zero is in the middle, so that on one side of it there may be less.
  expect(filled).toBeGreaterThan(0.5);
  await page.getByRole('button', { name: 'Next mistake' }).click();
  await expect(page.getByText(/^Test image \d+: \d, predicted as \d$/)).toBeVisible();
  await page.getByRole('link', { name: 'Batch' }).click();
  await batch.getByRole('button').first().click();
  await expect(
    page.getByRole('region', { name: 'Draw a digit' }).getByText(/^Training image [\d,]+, as in step 1: \d$/),
  ).toBeVisible();
  await expect(page.getByLabel('Computed sum')).toBeVisible();

  const pad = page.getByRole('region', { name: 'Draw a digit' });
  const picture = pad.getByLabel('Image file');
  const file = { name: 'one.png', mimeType: 'image/png', buffer: one() };
  await picture.setInputFiles(file);
  await expect(pad.getByText('one.png, inverted')).toBeVisible();
  await expect(pad.getByRole('img', { name: 'Drawing pad, showing an image' })).toBeVisible();
  await pad.getByRole('button', { name: 'Clear' }).click();
  await page.evaluate((base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], 'image.png', { type: 'image/png' }));
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  }, one().toString('base64'));
  await expect(pad.getByText('Pasted image, inverted')).toBeVisible();
  await expect(pad.getByText('Prediction after 1 step.')).toBeVisible();

  await picture.setInputFiles({ name: 'no.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await expect(page.getByRole('alert').filter({ hasText: 'This image cannot be read' })).toBeVisible();
});
