/** A network exported as one HTML file, opened from disk. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test, type Page } from '@playwright/test';
import { drawOn, ZERO } from './run.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Exports weights, and opens the file as a person does: from disk. */
export async function openExported(page: Page, weights: string, ...options: string[]): Promise<void> {
  const file = test.info().outputPath('page.html');
  const words = ['export', '--weights', weights, '--to', 'html', '--out', file, ...options];
  execFileSync(process.execPath, ['scripts/wgrad.mjs', ...words], { cwd: root, stdio: 'pipe' });
  await page.goto(pathToFileURL(file).href);
  await expect(page.locator('html[data-ready]')).toBeAttached();
}

/** Opens the LeNet-5 that wgrad comes with, without a network, and draws a zero on its pad. */
export async function expectExportedPageAnswers(page: Page): Promise<void> {
  await openExported(page, 'public/trained/lenet5.safetensors');
  await expect(
    page.getByText('Trained on MNIST, test accuracy 99.41 % in the last test (10,000 images).'),
  ).toBeVisible();
  await drawOn(page, page.getByRole('img', { name: 'Drawing pad' }), ZERO);
  await expect(page.getByLabel('Prediction')).toHaveText('0');
}
