import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';

const FILES = [
  't10k-labels-idx1-ubyte.gz',
  'train-images-idx3-ubyte.gz',
  't10k-images-idx3-ubyte.gz',
  'train-labels-idx1-ubyte.gz',
];
const folder = join(process.env['WGRAD_DATA_DIR'] ?? '', 'mnist');

if (process.env['WGRAD_DATA_DIR'] && FILES.every((name) => existsSync(join(folder, name)))) {
  test('a user imports the files of MNIST and trains on all of them', async ({ page }) => {
    const run = await RunPage.open(page);
    await run.choose('MNIST');
    await page.getByLabel('Files of MNIST').setInputFiles(FILES.map((name) => join(folder, name)));
    await expect(page.getByRole('radio', { name: 'MNIST ready' })).toBeVisible();
    // It is past 95 % after an epoch, too, in a third of LeNet-5's time.
    const model = page.getByRole('combobox', { name: 'Model' });
    await model.selectOption({ label: 'Multilayer perceptron' });
    await run.set('Batch size', '256');
    await run.set('Learning rate', '0.002');
    await run.set('Target accuracy', '95');

    await run.press('Train');
    await run.reaches(60);
    // Guessing among ten classes gives ln 10.
    expect(await run.read('Loss')).toBeLessThan(Math.log(10) / 2);
    // It pauses after the epoch whose test exceeds 95 %.
    await expect(run.value('Status')).toHaveText('Stopped early', { timeout: 1_000_000 });
    expect(await run.read('Test accuracy')).toBeGreaterThan(95);
    expect(await run.read('Epoch')).toBe(1);
    // The whole test set is used: every image is counted once in the confusion matrix.
    await run.press('Stop');
    await expect(run.value('Status')).toHaveText('Stopped early');
    const counted = () =>
      page
        .getByRole('table', { name: /^Test images by/ })
        .locator('tbody td:not(:last-child)')
        .evaluateAll((cells) => cells.reduce((sum, cell) => sum + Number(cell.textContent), 0));
    await expect.poll(counted).toBe(10_000);
  });
}
