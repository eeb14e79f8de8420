import { readFile } from 'node:fs/promises';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { expectTablesFitPhone, showScreen } from './screens.ts';

// src/cli/study.gpu.test.ts runs all studies, without a page.
test('a study: the source’s ratios beside this machine’s, as chart, table and files', async ({ page }) => {
  await page.goto('./');
  await showScreen(page, 'Studies');
  await page.getByRole('link', { name: /cuDNN’s alg/ }).click();
  // The source's numbers are there before anything is measured.
  await page
    .getByRole('region', { name: 'The report’s numbers' })
    .getByText('Table', { exact: true })
    .click();
  const fft = page
    .getByRole('row')
    .filter({ hasText: /11\.8×/ })
    .first();
  await expect(fft).toContainText('FFT tiling');
  await expect(page.getByText('Original hardware')).toBeVisible();
  await page.getByText('Short', { exact: true }).click();
  await page.getByRole('button', { name: 'Run here' }).click();
  await expect(page.getByText(/Short run in /)).toBeVisible();
  await expect(fft).toContainText(/\d× to \d/);

  const download = async (name: 'JSON' | 'CSV') => {
    const button = page.getByRole('button', { name, exact: true });
    const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
    return readFile(await file.path(), 'utf8');
  };
  const json = JSON.parse(await download('JSON'));
  expect(json).toMatchObject({ study: 'cudnn-algorithms', size: 'small', complete: true });
  expect(json.published).toContainEqual(expect.objectContaining({ value: '9.68', unit: 'times' }));
  expect(json.lines).toContainEqual(expect.objectContaining({ figure: 'backward', bar: 'col2im v1' }));
  expect(await download('CSV')).toMatch(/^study,size,date,/);
  await expectAccessible(page);
  await expectTablesFitPhone(page);

  // The screen opens where it was left.
  await showScreen(page, 'Train');
  await showScreen(page, 'Studies');
  await expect(page.getByRole('heading', { name: /cuDNN’s alg/ })).toBeVisible();
  await page.getByRole('link', { name: 'All', exact: true }).click();
  await expect(page.getByRole('link', { name: /lecture’s figures/ })).toBeVisible();
});
