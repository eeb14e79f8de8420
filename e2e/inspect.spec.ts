import { PNG } from 'pngjs';
import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
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

/** A number as the page writes it, with its real minus sign. */
const numberIn = async (page: Page, label: string): Promise<number> =>
  Number((await page.getByLabel(label, { exact: true }).innerText()).replaceAll('−', '-'));

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

  // Sorted by confidence, in both directions; then one cell of the matrix.
  const confidences = async () =>
    (await gallery.getByRole('button').allTextContents()).map((text) =>
      Number(/ >?([\d.]+) % confidence/.exec(text)?.[1]),
    );
  const surest = await confidences();
  expect(surest).toEqual(surest.toSorted((a, b) => b - a));
  await page.getByText('Lowest confidence').click();
  await expect.poll(async () => (await confidences())[0]).toBeLessThan(surest[0]);
  const unsure = await confidences();
  expect(unsure).toEqual(unsure.toSorted((a, b) => a - b));
  const cell = page.getByRole('button', { name: /^\d+: \d predicted as \d$/ }).first();
  const [, count, trueClass, predicted] = /^(\d+): (\d) predicted as (\d)$/.exec(
    (await cell.getAttribute('aria-label')) ?? '',
  )!;
  await cell.click();
  await expect(page.getByText(`of ${count}, tested at step`)).toBeVisible();
  await expect(gallery.getByRole('button').first()).toHaveAccessibleName(
    new RegExp(`^${trueClass} predicted as ${predicted} with `),
  );

  // A second evaluation adds a slider; its first matrix is the older one.
  await page.getByRole('button', { name: 'Step' }).click();
  await page.getByRole('button', { name: 'Test now' }).click();
  const slider = page.getByRole('slider', { name: 'Test', exact: true });
  await expect(slider).toHaveAttribute('aria-valuetext', /^2 of 2, /);
  const matrix = page.getByRole('region', { name: 'Counts by class' });
  const newest = await matrix.innerText();
  await slider.fill('0');
  await expect(slider).toHaveAttribute('aria-valuetext', /^1 of 2, /);
  await expect.poll(() => matrix.innerText()).not.toBe(newest);
  await slider.fill('1');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expectAccessible(page);

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
  const computed = await numberIn(page, 'Computed sum');
  const network = await numberIn(page, 'Network’s value');
  expect(Math.abs(computed - network)).toBeLessThanOrEqual(1e-5 * Math.max(1, Math.abs(network)));
  expect(await numberIn(page, 'Selected value')).toBe(network);
  // The products shown sum to it, up to their rounding.
  const products = await page.getByRole('table', { name: 'Products' }).getByRole('cell').allInnerTexts();
  expect(products).toHaveLength(25);
  const bias = /Adding the bias (\S+) gives/.exec(
    (await page.getByText('Adding the bias').innerText()).replaceAll('−', '-'),
  )!;
  const shown = products.reduce((sum, text) => sum + Number(text.replaceAll('−', '-')), Number(bias[1]));
  expect(Math.abs(shown - network)).toBeLessThan(0.15);

  await expect(page.getByRole('region', { name: 'Filter weights' })).toBeVisible();

  // The filter moves over its input, here without motion: place by place.
  const place = (row: string, column: string) =>
    page.getByRole('img', { name: `Channel 0 of input, with the patch at row ${row}, column ${column}` });
  await expect(place('8', '10')).toBeVisible();
  await page.getByRole('button', { name: 'Next place' }).click();
  await page.getByRole('button', { name: 'Next place' }).click();
  await expect(place('-2', '-1')).toBeVisible();
  await expectAccessible(page);

  // The ReLU outputs the convolution's values, with negative ones set to zero.
  await page.getByRole('radio', { name: /relu1/ }).check({ force: true });
  await page.getByLabel('Channel', { exact: true }).fill('2');
  await page.getByLabel('Row', { exact: true }).fill('10');
  await page.getByLabel('Column', { exact: true }).fill('12');
  await expect.poll(() => numberIn(page, 'Selected value')).toBe(Math.max(0, network));

  // Its receptive field, in words and on the image; pooling takes the largest of four values.
  await expect(
    page.getByText(/conv1, sees 5 × 5 pixels of the image: rows 8 to 12, columns 10 to 14\.$/),
  ).toBeVisible();
  await page.getByRole('radio', { name: 'pool1', exact: true }).check({ force: true });
  await expect(arithmetic.getByText('Matches the network’s value')).toBeVisible();

  // The evidence for a class, and the images that are most alike.
  await page.getByText('Grad-CAM', { exact: true }).click();
  await expect(page.getByText(/Evidence for \d \([<>]?\d+ %\)/)).toBeVisible();
  await page.getByRole('combobox', { name: 'For' }).selectOption('3');
  await expect(page.getByText(/Evidence for 3 \([<>]?\d+ %\)/)).toBeVisible();
  await page.getByText('Occlusion', { exact: true }).click();
  await expect(page.getByText(/the probability of 3 \(|No evidence for 3 \(/)).toBeVisible();
  const nearest = page.getByRole('list', { name: 'Nearest training images' });
  await nearest.scrollIntoViewIfNeeded();
  await expect(nearest.getByRole('button')).toHaveCount(8);
  await expectAccessible(page);
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
  await expectAccessible(page);

  // One step is enough for histograms of every layer.
  await page.getByRole('link', { name: 'Histograms' }).click();
  await expect(page.getByRole('img', { name: /^fc3, from step 1 to 1: values from/ })).toBeVisible();
  await page.getByRole('radio', { name: 'Activations' }).check({ force: true });
  await expect(page.getByRole('img', { name: /^conv1, from step 1 to 1: values from/ })).toBeVisible();
  await page.getByText('As numbers').click();
  await expect(page.getByRole('table').getByRole('rowheader', { name: 'pool2' })).toBeVisible();
  await expectAccessible(page);

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
  await page.getByText('As a table').click();
  await expectAccessible(page);
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
  // The network's input: the ink is 20 rows high, bright on black.
  await page.getByRole('radio', { name: /^Image/ }).check({ force: true });
  await page.getByLabel('Row', { exact: true }).fill('14');
  await page.getByLabel('Column', { exact: true }).fill('14');
  await expect.poll(() => numberIn(page, 'Selected value')).toBeGreaterThan(1);
  await page.getByLabel('Column', { exact: true }).fill('3');
  await expect.poll(() => numberIn(page, 'Selected value')).toBeLessThan(0);

  await picture.setInputFiles({ name: 'no.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await expect(page.getByRole('alert').filter({ hasText: 'This image cannot be read' })).toBeVisible();
});
