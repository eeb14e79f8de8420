import { expect, test } from '@playwright/test';
import type { RunPage } from './run.ts';
import { expectScreen } from './screens.ts';

/** Opens everything that the page shows, one after the other, from the page's first state on; `look` is called at each. */
export async function visitAll(run: RunPage, look: (name: string) => Promise<void>): Promise<void> {
  const { page } = run;
  const visit = (name: string, open: () => Promise<unknown>) =>
    test.step(name, async () => {
      await open();
      await look(name);
    });
  await visit('Train, before the first run', async () => undefined);
  await visit('Data, to be obtained', async () => {
    await run.set('Batch size', '0');
    await run.choose('CIFAR-10');
  });
  await visit('Data, your own', () => run.choose('Your images'));
  await run.choose('Synthetic digits');
  await run.closePanel();
  await run.set('Batch size', '32');
  await run.set('Training images', '320');
  await run.pace(5);
  await visit('Train, during a run', async () => {
    await run.press('Train');
    await run.reaches(3);
  });
  await visit('Train, in slow motion', async () => {
    await run.pace('slow motion');
    await expect(page.getByRole('list', { name: 'Phases of a training step' })).toBeVisible();
  });
  await visit('Train, presented', () => page.goto('./#/train?present=1'));
  await page.keyboard.press('Escape');
  await visit('Train, paused', async () => {
    await run.pace('full');
    await expect(page.getByRole('region', { name: 'Counts by class' })).toBeVisible();
    await run.press('Pause');
    await expect(run.value('Status')).toHaveText('Paused');
  });

  await visit('Layers and menu', async () => {
    // A drawer stays while a popover is open.
    await run.open('Layers');
    await run.openMenu();
  });
  await visit('Advanced and engine', async () => {
    await run.open('Advanced');
    await run.engine('CPU');
  });
  await run.closePanel();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await visit('Commands', async () => {
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog')).toBeVisible();
  });
  await page.keyboard.press('Escape');
  for (const command of ['Take pictures by class', 'Browse images', 'Browser storage']) {
    await visit(command, async () => {
      await run.command(command);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('dialog').getByRole('button', { name: 'Close' })).toBeVisible();
    });
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }

  const links = page.getByRole('navigation', { name: 'Screens', exact: true }).getByRole('link');
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
  for (const name of names)
    await visit(name, async () => {
      await links.filter({ hasText: new RegExp(`^${name}$`) }).click();
      await expectScreen(page);
      await opened[name]?.();
    });

  for (const [screen, label] of [
    ['inspect', 'Inspect views'],
    ['lab', 'Lab views'],
  ]) {
    await page.goto(`./#/${screen}`);
    const views = page.getByRole('navigation', { name: label }).getByRole('link');
    await expect(views.first()).toBeVisible();
    for (const name of (await views.allTextContents()).slice(1))
      await visit(`${screen}, ${name}`, async () => {
        await views.filter({ hasText: name }).click();
        await expectScreen(page);
      });
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
  for (const [name, part] of Object.entries(shown))
    await visit(`build, ${name}`, async () => {
      await views.filter({ hasText: name }).click();
      await expect(part.first()).toBeVisible();
    });

  // Those that the bar has no link to.
  const lessons = ['lessons', 'lessons/loss', 'lessons/new', 'lessons/submissions'];
  for (const address of [
    ...lessons,
    'help',
    'studies/cudnn-algorithms',
    'studies/choosing',
    'studies/forward',
  ])
    await visit(address, async () => {
      await page.goto(`./#/${address}`);
      await expectScreen(page);
    });
  await visit('Tour', async () => {
    await page.goto('./#/train?tour=digits');
    await expect(page.getByRole('region', { name: 'Tour' })).toBeVisible();
  });
  await page.keyboard.press('Escape');

  await page.goto('./#/runs');
  const runs = page.getByRole('region', { name: 'Table of runs' });
  await runs.getByRole('button', { expanded: false }).first().click();
  for (const button of ['Export model…', 'Share card']) {
    await visit(button, async () => {
      await page.getByRole('button', { name: button }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    });
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  await visit('A network from a file', async () => {
    await page
      .getByLabel('Archives of runs, or networks')
      .setInputFiles('src/exchange/keras/fixtures/many.h5');
    await expect(page.getByRole('dialog').getByRole('table')).toBeVisible();
  });
  await page.keyboard.press('Escape');
  await page.goto('./#/train');
  await visit('Train, after a run', () => run.press('Stop'));
}
