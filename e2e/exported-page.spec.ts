import { percent } from '../src/base/percent.ts';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expectExportedPageAnswers, openExported } from './exported.ts';
import { expect, test } from './fixtures.ts';
import { photo } from './photos.ts';

test('an exported page opens from disk, answers a drawn digit, and asks no server', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await expectExportedPageAnswers(page);
  expect(asked.filter((url) => !url.startsWith('file:'))).toEqual([]);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
  await expectNoOverflow(page);
});

test('an exported page for pictures, with batch norm folded, answers as the command line', async ({
  page,
}, info) => {
  const [weights, picture] = ['public/trained/resnet20.safetensors', info.outputPath('ball.png')];
  writeFileSync(picture, photo('ball', 3));
  const words = ['predict', '--weights', weights, '--images', picture, '--engine', 'cpu'];
  const program = ['scripts/wgrad.mjs', ...words];
  const [line] = execFileSync(process.execPath, program, { stdio: 'pipe', encoding: 'utf8' }).split('\n');
  const { answer, probabilities } = JSON.parse(line) as { answer: string; probabilities: number[] };

  await openExported(page, weights, '--fold');
  await expect(page.getByRole('heading')).toHaveText('ResNet-20, batch norm folded');
  for (const _ of ['the picture', 'the same picture again']) {
    await page.getByLabel('Choose a picture').setInputFiles(picture);
    await expect(page.getByLabel('Prediction')).toHaveText(answer);
    const share = page.getByRole('listitem').filter({ has: page.getByRole('meter', { name: answer }) });
    await expect(share).toContainText(percent(Math.max(...probabilities)));
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect(page.getByLabel('Prediction')).toHaveText('–');
  }
  await expectAccessible(page);
  await expectNoOverflow(page);
});

/** On a phone, nothing is cut off at the side. */
async function expectNoOverflow(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(wide).toBeLessThanOrEqual(room);
}
