import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { expectTablesFitPhone, showScreen } from './screens.ts';

/** Opens a study from the list, as a visitor does. */
async function openStudy(page: Page, title: RegExp): Promise<void> {
  if (page.url() === 'about:blank') await page.goto('./');
  await showScreen(page, 'Studies');
  // The screen opens where it was left.
  await page.getByRole('link', { name: 'All', exact: true }).click();
  await page.getByRole('link', { name: title }).click();
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
}

/** Runs the short version to its end. src/cli/study.gpu.test.ts runs all studies, without a page. */
async function run(page: Page): Promise<void> {
  await page.getByText('Short', { exact: true }).click();
  await page.getByRole('button', { name: 'Run here' }).click();
  await expect(page.getByText(/Short run in /)).toBeVisible();
}

async function download(page: Page, name: 'JSON' | 'CSV'): Promise<string> {
  const button = page.getByRole('button', { name, exact: true });
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return readFile(await file.path(), 'utf8');
}

test('studies of algorithms: cuDNN’s, and those that are chosen without searching', async ({ page }) => {
  await test.step('every study is two clicks away', async () => {
    await page.goto('./');
    for (const title of [/cuDNN’s alg/, /One LeNet/, /10,000/, /without searching/, /lecture’s figures/]) {
      await showScreen(page, 'Train');
      await showScreen(page, 'Studies');
      // The screen opens where it was left: at the list, or at a study, from which the others are a click away.
      await page.getByRole('link', { name: title }).click();
      await expect(page.getByRole('heading', { name: title })).toBeVisible();
      await expect(page.getByText('Original hardware')).toBeVisible();
      await page.getByRole('link', { name: 'All', exact: true }).click();
    }
  });
  await test.step('cuDNN’s algorithms: the report’s ratios beside this machine’s, as chart, table and files', async () => {
    await openStudy(page, /cuDNN’s algorithms/);
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
    await run(page);
    await expect(fft).toContainText(/\d× to \d/);
    await expect(fft).toContainText(/3 × \d+/);
    const json = JSON.parse(await download(page, 'JSON'));
    expect(json).toMatchObject({ study: 'cudnn-algorithms', size: 'small', complete: true });
    expect(json.published).toContainEqual(expect.objectContaining({ value: '9.68', unit: 'times' }));
    expect(json.lines).toContainEqual(expect.objectContaining({ figure: 'backward', bar: 'col2im v1' }));
    expect(await download(page, 'CSV')).toMatch(/^study,size,date,/);
    const launches = page.getByRole('table', { name: 'Launch parameters' });
    await expect(launches.getByRole('row', { name: /^im2col v1 32 / })).toContainText(/\d+ threads/);
    // Where tables scroll sideways.
    const before = page.viewportSize()!;
    await page.setViewportSize({ width: 820, height: 1180 });
    await expectAccessible(page);
    await page.setViewportSize(before);
    await expectTablesFitPhone(page);
  });
  await test.step('choosing without searching: its rules, before anything is measured', async () => {
    await openStudy(page, /without searching/);
    const rules = page.getByRole('table', { name: 'The rules' });
    await expect(rules.getByRole('row', { name: /5\s×\s5 larger than 32, medium FFT first/ })).toBeVisible();
    const readings = page.getByRole('table', { name: 'Two readings of the rules' });
    await expect(readings.getByRole('row', { name: /^images first up to 7 pixels/ })).toBeVisible();
    await expectAccessible(page);
    await expectTablesFitPhone(page);
  });
});

test('studies of the lecture and of the course project', async ({ page }) => {
  await test.step('the lecture: output sizes, before anything is measured', async () => {
    await openStudy(page, /lecture/);
    const sizes = page.getByRole('table', { name: /Output sizes/ });
    await expect(sizes.getByRole('row', { name: '7 4 3 1 1 2 2 3 1 and 2' })).toBeVisible();
    const exercise = page.getByRole('table', { name: /exercise/ });
    await expect(exercise.getByRole('row', { name: '28 5 2 2 14 15' })).toBeVisible();
    await expectAccessible(page);
  });
  await test.step('forward: phases, layers, kernels with their running sum, API calls, steps of the kernel', async () => {
    await openStudy(page, /10,000, 1,000 and 100 images/);
    const kernels = page.getByRole('table', { name: /Kernels that make up 90/ });
    await expect(kernels.getByRole('row', { name: /^copies to/ })).toContainText(/38\.97\s%.*42\.75\s%/);
    await run(page);
    await expect(kernels.getByRole('row', { name: /^kernel of layer 2/ })).toContainText(/27\.12\s%.*\d\s%/);
    const programs = page.getByRole('table', { name: 'Whole-program time' });
    await expect(programs.getByRole('row', { name: /CPU, loops/ }).first()).toContainText(/11\.54\s?s/);
    await expect(programs.getByRole('row', { name: /CPU, plain kernel/ })).toHaveCount(3);
    await expect(page.getByRole('table', { name: 'Op times by layer' })).toContainText('pool2');
    await expect(page.getByRole('table', { name: 'API calls' })).toContainText('writeBuffer');
    const optimisations = page.getByRole('table', { name: 'The optimisation table' });
    await expect(optimisations.getByRole('row', { name: /of all channels/ })).toContainText(/\d ms|\d µs/);
    await expect(optimisations.getByRole('row', { name: /^one thread per output/ })).toContainText(
      /33\.285\sms/,
    );
    await expect(optimisations.getByRole('row', { name: /^all channels before/ })).toContainText('0.448×');
    const why = page.getByRole('table', { name: /one channel at a time/ });
    await expect(why.getByRole('row', { name: /^conv2/ })).toContainText(/1\.64×.*\d×.*12.*31\.6\s%/);
    await page.getByText('Read and compare').click();
    await expect(page.getByRole('region', { name: 'loops on the CPU: source' })).toContainText(
      'array<f32, N * C * HW>',
    );
    await page.getByLabel('Source of').selectOption('input tile of all channels in workgroup memory');
    await expect(page.getByRole('region', { name: /all channels.*: source/ })).toContainText('STAGED 6');
    await expectAccessible(page);
  });
});
