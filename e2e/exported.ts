/** A network exported as one HTML file, opened from disk. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { ZERO } from './run.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Exports the LeNet-5 that wgrad comes with, opens the file without a network, and draws a zero on its pad. */
export async function expectExportedPageAnswers(page: Page): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'wgrad-exported-'));
  try {
    const file = join(folder, 'lenet5.html');
    const words = ['export', '--weights', 'public/trained/lenet5.safetensors', '--to', 'html', '--out', file];
    execFileSync(process.execPath, ['scripts/wgrad.mjs', ...words], { cwd: root, stdio: 'pipe' });
    await page.goto(pathToFileURL(file).href);
    await expect(page.getByText('Trained on MNIST, test accuracy 99.41 %.')).toBeVisible();
    await expect(page.locator('html[data-ready]')).toBeAttached();
    const box = await page.getByRole('img', { name: 'Drawing pad' }).boundingBox();
    if (!box) throw new Error('the pad has no place on the page');
    for (const [i, [x, y]] of ZERO.entries()) {
      await page.mouse.move(box.x + x * box.width, box.y + y * box.height);
      if (i === 0) await page.mouse.down();
    }
    await page.mouse.up();
    await expect(page.getByLabel('Prediction')).toHaveText('0');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
