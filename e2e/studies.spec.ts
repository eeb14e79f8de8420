import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';

/** Opens a study in two clicks, as a visitor does. */
async function openStudy(page: Page, title: RegExp): Promise<void> {
  await page.goto('./');
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Studies' }).click();
  await page.getByRole('link', { name: title }).click();
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
}

/** Runs the short version to its end. */
async function run(page: Page): Promise<void> {
  await page.getByText('Short', { exact: true }).click();
  await page.getByRole('button', { name: 'Run here' }).click();
  await expect(page.getByText(/Short run in /)).toBeVisible({ timeout: 120_000 });
}

async function download(page: Page, name: 'JSON' | 'CSV'): Promise<string> {
  const button = page.getByRole('button', { name, exact: true });
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return readFile(await file.path(), 'utf8');
}

test('cuDNN’s algorithms: the report’s ratios beside this machine’s, as chart, table and files', async ({
  page,
}) => {
  await openStudy(page, /cuDNN’s algorithms/);
  // The source's numbers are there before anything is measured.
  const fft = page
    .getByRole('row')
    .filter({ hasText: /FFT tiling/ })
    .first();
  await expect(fft).toContainText('12×');
  await expect(page.getByText('Its hardware')).toBeVisible();
  await run(page);
  await expect(fft).toContainText(/\d× to /);
  await expect(fft).toContainText(/3 × \d+/);
  const json = JSON.parse(await download(page, 'JSON'));
  expect(json).toMatchObject({ study: 'cudnn-algorithms', size: 'small', complete: true });
  expect(json.published).toContainEqual(expect.objectContaining({ bar: 'FFT', ratio: 9.68 }));
  expect(json.lines).toContainEqual(expect.objectContaining({ figure: 'backward', bar: 'Winograd' }));
  expect(await download(page, 'CSV')).toMatch(/^study,size,date,/);
  await expectAccessible(page);
});
