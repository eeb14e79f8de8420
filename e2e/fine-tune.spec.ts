import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { photo, THINGS } from './photos.ts';
import { RunPage } from './run.ts';

/** Photos of each thing, of which every fifth is held back. */
const PHOTOS = 20;
const EPOCHS = '2';

let root: string;
test.beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'wgrad-photos-'));
  for (const thing of Object.keys(THINGS)) {
    mkdirSync(join(root, 'photos', thing), { recursive: true });
    for (let i = 0; i < PHOTOS; i++) writeFileSync(join(root, 'photos', thing, `${i}.png`), photo(thing, i));
  }
});
test.afterEach(() => rmSync(root, { recursive: true }));

test('60 own photos on the ResNet-20 that the page comes with, and on random weights', async ({ page }) => {
  const run = await RunPage.open(page);
  await run.choose('Your images');
  await page.getByLabel('Folder of images').setInputFiles(join(root, 'photos'));
  await page.getByRole('button', { name: 'Use these images' }).click();
  await expect(page.getByText('60 images in 3 classes')).toBeVisible();

  /** Trains from these weights, and returns the accuracy on the photos that were held back. */
  const accuracyFrom = async (weights: string): Promise<number> => {
    await run.open('Data');
    await page.getByLabel('Start from').selectOption({ label: weights });
    await run.open('Advanced');
    await page.getByRole('textbox', { name: 'Epochs', exact: true }).fill(EPOCHS);
    await run.closePanel();
    await run.press('Train');
    await expect(run.value('Status')).toHaveText('Finished');
    const accuracy = await run.read('Test accuracy');
    await run.open('Layers');
    return accuracy;
  };
  const began = Date.now();
  const trained = await accuracyFrom('ResNet-20 trained on CIFAR-10');
  const seconds = (Date.now() - began) / 1000;
  await page.getByText('This run started from 126 of 128 tensors').click();
  await expectAccessible(page);
  await run.press('Stop');
  const random = await accuracyFrom('Random weights');
  await expect(page.getByText(/This run started from/)).toBeHidden();
  const note = `held back: ${trained} % in ${seconds.toFixed(0)} s, from random weights ${random} %`;
  test.info().annotations.push({ type: 'accuracy', description: note });
  console.log(note);
  expect(trained, note).toBeGreaterThan(90);
  expect(random, note).toBeLessThan(trained);
});
