import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { browser } from './browser.ts';
import { beforeWorker, expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';

test.use({ launchOptions: browser() });

async function expectDesignedState(page: Page): Promise<void> {
  const run = new RunPage(page);
  await expect(page.getByText('No GPU available', { exact: true })).toBeVisible();
  await expect(page.getByText('No GPU', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Status', { exact: true })).toHaveText('Not ready');
  await expect(page.getByRole('button', { name: 'Train', exact: true })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  // The page still does what needs no GPU.
  await run.open('Data');
  await expect(page.getByRole('radio', { name: /^Synthetic digits/ })).toBeChecked();
  await run.open('Layers');
  await expect(page.getByText('Convolution 5 × 5').first()).toBeVisible();
  await run.closePanel();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('No GPU available', { exact: true })).toBeVisible();
}

test('a browser whose workers have no navigator.gpu, and the GPU chosen: the page explains this, and what to do', async ({
  page,
}) => {
  await beforeWorker(page, `Object.defineProperty(navigator, 'gpu', { value: undefined });`);
  await page.goto('./?engine=gpu');
  await expectDesignedState(page);
  await expect(page.getByText('This browser does not support WebGPU.')).toBeVisible();
  await expectAccessible(page);
});

test('a browser without a GPU, and the GPU chosen: the page explains this, and leads to the CPU, where a run trains', async ({
  page,
}) => {
  await page.goto('./?engine=gpu');
  await expectDesignedState(page);
  await expect(page.getByText('WebGPU is available, but no GPU was found.')).toBeVisible();
  await page.getByRole('button', { name: 'Use the CPU' }).click();
  const run = new RunPage(page);
  await run.ready();
  await expect(page.getByText('No GPU available', { exact: true })).toBeHidden();
  await expect(await run.engine('CPU')).toBeChecked();
  await page.keyboard.press('Escape');
  await run.press('Train');
  await run.reaches(10);
  await run.press('Stop');
  // The choice is kept.
  await page.reload();
  await run.ready();
  await expect(await run.engine('CPU')).toBeChecked();
});
