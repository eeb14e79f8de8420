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

test('a mistake is followed down to one number of the first convolution', async ({ page }) => {
  const run = await RunPage.open(page);
  await expectAdapter(page);
  // Enough steps to be right now and then, few enough to be wrong often.
  await run.set('Batch size', '16');
  await run.set('Learning rate', '0.003');
  await run.press('Train');
  await run.reaches(30, 120_000);
  await page.getByRole('link', { name: 'Inspect' }).click();
  await expect(page.getByText('The model was not tested yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Test now' }).click();
  const gallery = page.getByRole('list', { name: 'Test images' });
  await expect(gallery).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(page.getByText(/^After \d+ steps, paused$/)).toBeVisible();

  // Surest first; the other way round; then one cell of the matrix.
  const sure = async () =>
    (await gallery.getByRole('button').allTextContents()).map((text) =>
      Number(/, ([\d.]+) % sure/.exec(text)?.[1]),
    );
  const surest = await sure();
  expect(surest).toEqual(surest.toSorted((a, b) => b - a));
  await page.getByText('Least sure first').click();
  await expect.poll(async () => (await sure())[0]).toBeLessThanOrEqual(surest[0]);
  const unsure = await sure();
  expect(unsure).toEqual(unsure.toSorted((a, b) => a - b));
  const cell = page.getByRole('button', { name: /^\d+: \d predicted as \d$/ }).first();
  const [, count, truth, answer] = /^(\d+): (\d) predicted as (\d)$/.exec(
    (await cell.getAttribute('aria-label')) ?? '',
  )!;
  await cell.click();
  await expect(page.getByText(`of ${count}, as tested`)).toBeVisible();
  await expect(gallery.getByRole('button').first()).toHaveAccessibleName(
    new RegExp(`^A ${truth} taken for ${answer}, `),
  );

  // A second test makes a slider; its first matrix is the older one.
  await page.getByRole('button', { name: 'Step' }).click();
  await page.getByRole('button', { name: 'Test now' }).click();
  const slider = page.getByRole('slider', { name: 'Test', exact: true });
  await expect(slider).toHaveAttribute('aria-valuetext', /^2 of 2, /, { timeout: 60_000 });
  const matrix = page.getByRole('region', { name: 'Confusion matrix' });
  const newest = await matrix.innerText();
  await slider.fill('0');
  await expect(slider).toHaveAttribute('aria-valuetext', /^1 of 2, /);
  await expect.poll(() => matrix.innerText()).not.toBe(newest);
  await slider.fill('1');
  await page.getByRole('button', { name: 'Any class' }).click();
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
  await expect(page.getByText('conv1[2, 10, 12]', { exact: true })).toBeVisible();
  await expect(page.getByText('The network has the same number')).toBeVisible();
  const worked = await numberIn(page, 'Worked sum');
  const network = await numberIn(page, 'Number of the network');
  expect(Math.abs(worked - network)).toBeLessThanOrEqual(1e-5 * Math.max(1, Math.abs(network)));
  expect(await numberIn(page, 'Number of the map')).toBe(network);
  // The products that are shown add up to it, as far as they are written.
  const products = await page.getByRole('table', { name: 'Products' }).getByRole('cell').allInnerTexts();
  expect(products).toHaveLength(25);
  const bias = /With the bias (\S+) that is/.exec(
    (await page.getByText('With the bias').innerText()).replaceAll('−', '-'),
  )!;
  const shown = products.reduce((sum, text) => sum + Number(text.replaceAll('−', '-')), Number(bias[1]));
  expect(Math.abs(shown - network)).toBeLessThan(0.15);

  // What comes behind the ReLU is what came out of the convolution, without what is below zero.
  await page.getByRole('radio', { name: /relu1/ }).check({ force: true });
  await page.getByLabel('Channel', { exact: true }).fill('2');
  await page.getByLabel('Row', { exact: true }).fill('10');
  await page.getByLabel('Column', { exact: true }).fill('12');
  await expect.poll(() => numberIn(page, 'Number of the map')).toBe(Math.max(0, network));
  await expectAccessible(page);
});

test('pictures come by file and by paste, and the batch is there as the network saw it', async ({ page }) => {
  const run = await RunPage.open(page);
  await run.set('Batch size', '8');
  await page.getByRole('link', { name: 'Inspect' }).click();
  await page.getByRole('link', { name: 'Batch' }).click();
  await expect(page.getByText('No batch has gone through the network yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Step' }).first().click();
  const batch = page.getByRole('list', { name: 'Images of the batch' });
  await expect(batch.getByRole('button')).toHaveCount(8, { timeout: 60_000 });
  await expect(page.getByText(/numbers from −0\.\d+ to \d/)).toBeVisible();
  await expectAccessible(page);
  await batch.getByRole('button').first().click();
  await expect(
    page
      .getByRole('region', { name: 'Draw a digit' })
      .getByText(/^Image [\d,]+ of training, as in step 1: \d$/),
  ).toBeVisible();
  await expect(page.getByLabel('Worked sum')).toBeVisible();

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
  // The image as it enters: the ink is 20 rows high, bright on black.
  await page.getByRole('radio', { name: /^Image/ }).check({ force: true });
  await page.getByLabel('Row', { exact: true }).fill('14');
  await page.getByLabel('Column', { exact: true }).fill('14');
  await expect.poll(() => numberIn(page, 'Number of the map')).toBeGreaterThan(1);
  await page.getByLabel('Column', { exact: true }).fill('3');
  await expect.poll(() => numberIn(page, 'Number of the map')).toBeLessThan(0);

  await picture.setInputFiles({ name: 'no.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await expect(page.getByRole('alert').filter({ hasText: 'This picture cannot be read' })).toBeVisible();
});
