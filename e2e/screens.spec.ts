import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';
import { expectScreen } from './screens.ts';

/** Magnified four times, a window of 1280 pixels has 320: nothing may stick out sideways. */
async function expectNarrow(page: Page): Promise<void> {
  const before = page.viewportSize()!;
  await page.setViewportSize({ width: 320, height: 192 });
  const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  // Charts notice their new size a moment later.
  await expect.poll(beyond, 'px beyond the window').toBeLessThanOrEqual(0);
  await page.setViewportSize(before);
}

test('axe finds no problem on any screen or view of a model, light and dark, and magnified they fit', async ({
  page,
}) => {
  const run = await RunPage.open(page);
  await test.step('before the first run: a setting that is wrong, data to be obtained', async () => {
    await run.set('Batch size', '0');
    await run.choose('CIFAR-10');
    await expectAccessible(page);
    await run.choose('Your images');
    await expectAccessible(page);
    await run.choose('Synthetic digits');
    await run.closePanel();
  });
  await run.set('Batch size', '32');
  await run.press('Train');
  await run.reaches(3);
  await run.press('Pause');
  await expect(run.value('Status')).toHaveText('Paused');
  await test.step('the parts of a phone', async () => {
    const before = page.viewportSize()!;
    await page.setViewportSize({ width: 390, height: 844 });
    const part = (name: string) => page.getByRole('radio', { name, exact: true });
    await part('Mistakes').check({ force: true });
    await expectAccessible(page);
    await part('Settings').check({ force: true });
    await page.getByRole('button', { name: 'More screens' }).click();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.setViewportSize(before);
  });
  await test.step('what opens above a screen', async () => {
    // A drawer stays while a popover is open.
    await run.open('Layers');
    await run.openMenu();
    await expectAccessible(page);
    await run.open('Advanced');
    await run.engine('CPU');
    await expectAccessible(page);
    await run.closePanel();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
  });

  const links = page.getByRole('navigation', { name: 'Screens' }).getByRole('link');
  const names = await links.allTextContents();
  expect(names.length).toBeGreaterThan(5);
  /** What is opened on a screen before it is looked at. */
  const opened: Record<string, () => Promise<void>> = {
    Train: async () => {
      await run.openLosses();
      await page.getByRole('button', { name: 'About: Preset' }).click();
      await expect(page.getByRole('dialog', { name: 'About: Preset' })).toBeVisible();
    },
    Runs: async () => {
      await page.getByRole('checkbox', { name: /^Compare/ }).check();
      await page.getByRole('button', { name: 'Sweep' }).click();
    },
    Build: async () => {
      await page.getByLabel('Start from').selectOption({ label: 'Empty model' });
      await page.getByRole('button', { name: 'Load', exact: true }).click();
      await expect(page.getByText('No layers yet.')).toBeVisible();
    },
  };
  for (const name of names) {
    await test.step(name, async () => {
      await links.filter({ hasText: new RegExp(`^${name}$`) }).click();
      await expectScreen(page);
      await opened[name]?.();
      await expectAccessible(page);
      await expectNarrow(page);
    });
  }

  for (const [screen, label] of [
    ['inspect', 'Inspect views'],
    ['lab', 'Lab views'],
  ]) {
    await page.goto(`./#/${screen}`);
    const views = page.getByRole('navigation', { name: label }).getByRole('link');
    await expect(views.first()).toBeVisible();
    for (const name of (await views.allTextContents()).slice(1)) {
      await test.step(name, async () => {
        await views.filter({ hasText: name }).click();
        await expectScreen(page);
        await expectAccessible(page);
        await expectNarrow(page);
      });
    }
  }

  await page.goto('./#/build/layers');
  await page.getByLabel('Start from').selectOption('resnet8');
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  const views = page.getByRole('navigation', { name: 'Views of the model' }).getByRole('link');
  const shown = {
    Layers: page.getByRole('treegrid').getByRole('row', { name: /^Expand block Residual block/ }),
    Graph: page.getByLabel('layer1.0, collapsed'),
    Code: page.getByLabel('My ResNet-8 as pytorch'),
  };
  await expect(views).toHaveText(Object.keys(shown));
  // One of its blocks unfolded.
  await shown.Layers.nth(1).click();
  await page.keyboard.press('ArrowRight');
  for (const [name, part] of Object.entries(shown)) {
    await test.step(name, async () => {
      await views.filter({ hasText: name }).click();
      await expect(part.first()).toBeVisible();
      await expectAccessible(page);
      await expectNarrow(page);
    });
  }
});
