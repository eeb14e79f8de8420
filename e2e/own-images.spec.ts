import { mkdirSync, writeFileSync } from 'node:fs';
import { PNG } from 'pngjs';
import { zipOf } from '../src/data/testing.ts';
import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';

/** A picture of one colour, 40 x 30. */
function png(red: number, green: number, blue: number): Buffer {
  const picture = new PNG({ width: 40, height: 30 });
  for (let i = 0; i < 40 * 30; i++) picture.data.set([red, green, blue, 255], 4 * i);
  return PNG.sync.write(picture);
}

const kinds = { grass: (i: number) => png(0, 150 + i, 0), sky: (i: number) => png(0, 0, 150 + i) };

test('a folder of own images is imported, trained on, and available after a reload; a zip, too', async ({
  page,
}, info) => {
  for (const [kind, draw] of Object.entries(kinds)) {
    mkdirSync(info.outputPath('scenes', kind), { recursive: true });
    for (let i = 0; i < 20; i++) writeFileSync(info.outputPath('scenes', kind, `${i}.png`), draw(i));
  }
  writeFileSync(info.outputPath('scenes', 'sky', 'broken.png'), png(0, 0, 0).subarray(0, 50));
  writeFileSync(info.outputPath('scenes', 'sky', 'words.txt'), 'no picture');

  const run = await RunPage.open(page);
  await run.choose('Your images');
  await expect(run.control('Train')).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('Folder of images').setInputFiles(info.outputPath('scenes'));
  await expect(page.getByText('2 classes: grass (20), sky (21)')).toBeVisible();
  await page.getByText('28 × 28, grey').click();
  await page.getByRole('button', { name: 'Use these images' }).click();
  await expect(page.getByText('40 images in 2 classes')).toBeInViewport();
  await expect(page.getByLabel('Start from')).toBeInViewport({ ratio: 1 });
  await expect(page.getByLabel('Start from')).toHaveValue('lenet5-mnist');
  await page.getByText('2 files were left out').click();
  await expect(page.getByText(/scenes\/sky\/broken.png is damaged/)).toBeVisible();
  await expect(page.getByText('32 training and 8 test images')).toBeVisible();
  await expect(page.getByRole('img', { name: /^The first 32 images: .*(grass|sky)/ })).toBeVisible();

  await run.press('Step');
  await run.reaches(1);
  expect(await run.read('Loss')).toBeLessThan(3);
  await run.open('Layers');
  await page.getByText('This run started from 8 of 10 tensors').click();
  await run.press('Stop');

  await page.reload();
  await run.ready();
  await run.open('Data');
  await expect(page.getByRole('radio', { name: 'Your images ready' })).toBeVisible();
  await run.choose('Your images');
  await expect(page.getByText('From scenes: grass (20), sky (20).')).toBeVisible();
  await expect(page.getByRole('img', { name: /^The first 32 images/ })).toBeVisible();

  // A zip takes their place.
  const members = Object.entries(kinds).flatMap(([kind, draw]) =>
    [0, 1, 2].map((i) => ({ path: `${kind}/${i}.png`, data: draw(i), deflate: true })),
  );
  const zip = info.outputPath('scenes.zip');
  writeFileSync(zip, zipOf(members));
  await page.getByLabel('Files of images').setInputFiles(zip);
  await page.getByRole('button', { name: 'Use these images' }).click();
  await expect(page.getByText('6 images in 2 classes')).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Your images ready' })).toBeVisible();
});
