import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';

/** A user's actions and readings on the Build screen. */
class BuildPage {
  constructor(readonly page: Page) {}

  static async open(page: Page, view = 'layers'): Promise<BuildPage> {
    await page.goto(`./#/build/${view}`);
    await expect(page.getByRole('heading', { name: 'Build', exact: true })).toBeVisible();
    await expect(page.getByRole('option', { name: 'Convolution', exact: true })).toBeVisible();
    return new BuildPage(page);
  }

  row = (name: string | RegExp) => this.page.getByRole('treegrid').getByRole('row', { name });
  shapes = () => this.page.getByRole('region', { name: 'Model', exact: true }).getByRole('status');

  async startFrom(preset: string): Promise<void> {
    await this.page.getByLabel('Start from').selectOption(preset);
    await this.page.getByRole('button', { name: 'Load', exact: true }).click();
  }

  /** Presses Tab until the focused element has this name. */
  async tabTo(name: RegExp, back = false): Promise<void> {
    const focused = () =>
      this.page.evaluate(() => {
        const { activeElement: one } = document;
        // Spaces that do not break are spaces, as in Playwright's own names.
        return (one?.getAttribute('aria-label') ?? one?.textContent ?? '').replaceAll(/\s/g, ' ');
      });
    for (let presses = 0; presses < 120; presses++) {
      await this.page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
      if (name.test(await focused())) return;
    }
    throw new Error(`Tab does not lead to ${name}`);
  }

  /** With the mouse, in steps: a drag only starts after some movement. */
  async drag(from: Locator, to: Locator): Promise<void> {
    await to.scrollIntoViewIfNeeded();
    await from.hover({ position: { x: 10, y: 10 } });
    await this.page.mouse.down();
    const box = await to.boundingBox();
    if (!box) throw new Error('there is no place to drag to');
    await this.page.mouse.move(box.x + 80, box.y + 10, { steps: 8 });
    await this.page.mouse.up();
  }

  /** From the selected row, adds the entry found by a few letters. */
  async add(letters: string): Promise<void> {
    await this.page.keyboard.press('a');
    await this.page.keyboard.type(letters);
    await this.page.keyboard.press('Enter');
  }

  /** From a row, sets the first field in the inspector, then the next ones, and returns to the row. */
  async set(...values: (string | undefined)[]): Promise<void> {
    await this.page.keyboard.press('Enter');
    for (const [i, value] of values.entries()) {
      if (i > 0) await this.page.keyboard.press('Tab');
      if (value === undefined) continue;
      await this.page.keyboard.press('Control+a');
      await this.page.keyboard.type(value);
    }
    await this.page.keyboard.press('Escape');
  }
}

test('a residual network from scratch, by keyboard alone, with an error that a fix removes; then it trains', async ({
  page,
}) => {
  const build = await BuildPage.open(page);
  const { keyboard } = page;
  // It opens with the model of Train; another is loaded once it is chosen.
  await expect(build.row(/^Image 1 × 28 × 28/)).toBeFocused();
  await expect(build.row(/^Convolution .* conv1/)).toBeVisible();
  await build.tabTo(/^Load$/, true);
  await keyboard.press('Shift+Tab');
  await keyboard.type('Empty');
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await expect(build.row(/^Image/)).toBeFocused();
  await build.add('conv unit');
  await expect(build.row(/^ReLU relu1 16 × 28 × 28/)).toBeFocused();
  await build.add('resid');
  await expect(build.row(/^(Expand|Collapse) block Residual block/)).toBeFocused();

  // Into the block: its first convolution gets more filters and a stride.
  await keyboard.press('ArrowRight');
  await keyboard.press('ArrowRight');
  await expect(build.row(/conv1 16 × 28 × 28/).last()).toBeFocused();
  await build.set('24', undefined, undefined, '2');
  await expect(build.row(/24 filters of 3 × 3, stride 2 conv1 24 × 14 × 14/)).toBeFocused();
  for (let rows = 0; rows < 3; rows++) await keyboard.press('ArrowDown');
  await build.set('24');
  await expect(build.row(/24 filters of 3 × 3 conv2 24 × 14 × 14/)).toBeFocused();

  // The sum shows the error; the first fix is a projection, as published.
  await expect(build.shapes()).toHaveText('1 error');
  await expect(
    page.getByText(
      'Its inputs must have the same shape; got 24 × 14 × 14 from block1.bn2, 16 × 28 × 28 from relu1.',
    ),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Use in Train' })).toHaveAttribute('aria-disabled', 'true');
  await build.tabTo(/^Add a 1 × 1 convolution on the shortcut/);
  await keyboard.press('Enter');
  await expect(build.row(/24 filters of 1 × 1, stride 2 downsample.0 24 × 14 × 14/)).toBeVisible();
  await expect(build.shapes()).toHaveText('incomplete');

  await build.tabTo(/global average, a flatten and a fully connected layer with 10 outputs/);
  await keyboard.press('Enter');
  await expect(build.shapes()).toHaveText('valid');
  await build.tabTo(/^Use in Train/, true);
  await keyboard.press('Enter');
  const run = new RunPage(page);
  await run.ready();
  await expect(page.getByRole('combobox', { name: 'Model' })).toHaveValue('own model');
  await keyboard.press('.');
  await run.reaches(1);
  await expect(run.value('Status')).toHaveText('Paused');

  // The model is still there after a reload.
  await page.reload();
  await page.goto('./#/build');
  await expect(build.shapes()).toHaveText('valid');
  await expect(build.row(/Residual block 9 layers block1 24 × 14 × 14/)).toBeVisible();
});

test('presets, files and code; an invalid file is refused with the place of its error', async ({ page }) => {
  const build = await BuildPage.open(page);
  await build.startFrom('resnet8');
  await expect(build.shapes()).toHaveText('valid');
  await expect(page.getByText('78,042', { exact: true })).toBeVisible();
  await page.getByLabel('Name', { exact: true }).first().fill('Mine');

  await page.getByRole('link', { name: 'Code' }).click();
  await expect(page.getByLabel('Mine as pytorch')).toContainText('class Mine(nn.Module):');
  await page.getByRole('radio', { name: 'JSON' }).check();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('mine.json');
  const text = await readFile(await file.path(), 'utf8');

  await page.getByRole('link', { name: 'Layers' }).click();
  const wrong = Buffer.from(text.replace('"outChannels": 16', '"outChannels": -16'));
  await page
    .getByLabel('Model file')
    .setInputFiles({ name: 'wrong.json', mimeType: 'application/json', buffer: wrong });
  await expect(page.getByRole('alert')).toContainText(
    'layers[0].attributes.outChannels: expected a whole number of at least 1, found -16',
  );
  await expect(page.getByText('78,042', { exact: true })).toBeVisible();
  // Files can be dropped too.
  const dropped = await page.evaluateHandle(
    (content) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], 'dropped.json', { type: 'application/json' }));
      return transfer;
    },
    text.replace('"title": "Mine"', '"title": "Dropped"'),
  );
  await page.getByRole('treegrid').dispatchEvent('drop', { dataTransfer: dropped });
  await expect(page.getByLabel('Name', { exact: true }).first()).toHaveValue('Dropped');
});

test('the graph shows the same model; an error is on its edge; a step is profiled', async ({ page }) => {
  // A software GPU is slow with large batches.
  const run = await RunPage.open(page);
  await run.set('Batch size', '2');
  const build = await BuildPage.open(page);
  await build.startFrom('lenet5');
  await page.getByRole('link', { name: 'Graph' }).click();
  await page.getByLabel('conv2', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Filters', exact: true }).fill('12');
  await expect(page.getByLabel('conv2', { exact: true })).toContainText('12 filters of 5 × 5');

  await page.getByLabel('Kernel size, vertical').fill('99');
  await expect(page.getByLabel('pool1 to conv2, 6 × 14 × 14, shape mismatch')).toBeAttached();
  await page.getByRole('button', { name: 'Set the kernel size of conv2 to 14 × 14' }).click();
  await expect(page.getByLabel('conv2', { exact: true })).toContainText('12 filters of 14 × 14');
  await page.getByRole('link', { name: 'Layers' }).click();
  // The image is too small for the next layer now.
  await expect(build.shapes()).toHaveText('1 error');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(build.shapes()).toHaveText('valid');

  // Dragging also works, for new layers and for existing ones.
  await build.drag(page.getByRole('option', { name: 'Dropout' }), build.row(/^Fully connected 120 outputs/));
  await expect(build.row(/^Dropout p = 0.5 dropout1 120/)).toBeVisible();
  await build.drag(build.row(/^Dropout/), build.row(/^ReLU relu4/));
  await expect(build.row(/^Dropout p = 0.5 dropout1 84/)).toBeVisible();
  await expect(build.shapes()).toHaveText('valid');

  await page.getByRole('button', { name: 'Profile a step' }).click();
  await expect(build.row(/conv2/)).toContainText(/\d (µs|ms) \+ \d/);
});
