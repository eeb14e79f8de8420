import { readFile } from 'node:fs/promises';
import { expectAccessible } from './axe.ts';
import { expect, expectAdapter, test } from './fixtures.ts';
import { LabPage } from './lab.ts';
import { RunPage } from './run.ts';
import { expectTablesFitPhone } from './screens.ts';

test.use({ engine: 'gpu' });

/** Small, and with few algorithms: most of the time goes into compiling. */
const SMALL = 'race?N=1&C=2&H=6&W=6&K=3&R=3&S=3&padding=1';

test('a race: bars, errors, reasons, files, and a link that reopens it', async ({ page, context }) => {
  const lab = await LabPage.open(page, `${SMALL}&numbers=both&algorithms=direct,gemm_1x1,implicit_gemm`);
  await expectAdapter(page);
  await expect(page.getByText('Output: 1 × 3 × 6 × 6')).toBeVisible();

  // Sizes are checked as they are typed.
  await page.getByLabel('groups', { exact: true }).fill('2');
  await expect(page.getByText('3 filters do not divide into 2 groups')).toBeVisible();
  await expect(lab.button('Race')).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('groups', { exact: true }).fill('1');

  await lab.race();
  for (const algorithm of ['direct', 'implicit_gemm']) {
    const lane = lab.lane(algorithm).first();
    await expect(lane).toContainText(/\d (µs|ms)/);
    await expect(lane).toContainText(/FLOP\/s/);
    // The error against float64.
    await expect(lane).toContainText(/exact|\de-[789]/);
  }
  await expect(page.getByText('gemm_1x1 is not available: ')).toBeVisible();
  await expectAccessible(page);

  const json = await lab.download('JSON');
  expect(json.file.suggestedFilename()).toMatch(/^wgrad-race-.*\.json$/);
  const { description, software } = (await lab.adapter())!;
  expect(JSON.parse(json.text)).toMatchObject({ complete: true, adapter: { description, software } });
  expect((await lab.download('CSV')).text).toMatch(/,direct,one thread per output,timed,/);

  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByLabel('K', { exact: true })).toHaveValue('3');
  await expect(other.getByText('3 of 10 algorithms')).toBeVisible();
});

test('races on a device that is lost, one that is stopped, and one beside the CPU', async ({ page }) => {
  await test.step('a lost device interrupts a race with a reason, and the next race runs', async () => {
    const lab = await LabPage.open(page, `${SMALL}&algorithms=direct,implicit_gemm`);
    await lab.press('Race');
    await expect(page.getByText(/^Compiling the kernels/)).toBeVisible();
    await page.evaluate('wgrad.loseDevice()');
    await expect(page.getByRole('alert').filter({ hasText: 'Measurement interrupted' })).toContainText(
      'lost',
    );
    await lab.race();
  });
  await test.step('a race is stopped', async () => {
    // With so many kernels to compile, it is far from its end.
    const several = 'direct,implicit_gemm,im2col_gemm,winograd_f2x3';
    const lab = await LabPage.open(
      page,
      `race?N=1&C=8&H=16&W=16&K=8&R=3&S=3&padding=1&algorithms=${several}`,
    );
    await lab.press('Race');
    await lab.press('Stop');
    await expect(page.getByText(/^Stopped after/)).toBeVisible();
  });
  await test.step('beside the CPU', async () => {
    const lab = await LabPage.open(page, `${SMALL}&algorithms=direct`);
    await page.getByRole('checkbox', { name: 'Time the CPU too' }).check();
    await expect(page).toHaveURL(/cpu=yes/);
    await lab.race();
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: /^C cpu|^cpu/ }) });
    await expect(row).toContainText(/\d (µs|ms)/);
    await expect(row).toContainText(/exact|\de-[789]/);
  });
});

test('a kernel of one’s own: beside the original, checked, with its errors at their lines; Reset', async ({
  page,
  context,
  complaints,
}) => {
  // Chromium styles what is inserted at once into text that can be edited; the policy refuses that, and nothing is lost.
  complaints.allow(/Applying inline style|^policy: style-src-attr refuses inline/);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const lab = await LabPage.open(page, `${SMALL}&algorithms=direct,implicit_gemm`);
  await lab.race();
  await page.getByRole('button', { name: 'direct', exact: true }).click();
  await page.getByRole('button', { name: 'WGSL of direct, one thread per output' }).last().click();
  const editor = page.getByRole('textbox', { name: 'WGSL of conv/direct/fprop' });
  const ours = await readFile('shaders/conv/direct/fprop.wgsl', 'utf8');
  const write = async (text: string) => {
    await editor.press('ControlOrMeta+a');
    await page.keyboard.insertText(text);
  };
  await expect(editor).toContainText('var sum = 0.0;');
  // Tab indents; after Escape, it leaves.
  await editor.press('Tab');
  await expect(editor).toBeFocused();
  await editor.press('Escape');
  await page.keyboard.press('Tab');
  await expect(editor).not.toBeFocused();

  // A tap is dropped. The original stays in its lane.
  await write(ours.replace('var s = 0u', 'var s = 1u'));
  await expect(page.getByText('It compiles.')).toBeVisible();
  await lab.press('Race my version');
  const incorrect = page.getByRole('alert').filter({ hasText: 'excluded from timing and training' });
  await expect(incorrect).toContainText('direct (yours) gives incorrect results');
  await expect(lab.lane('direct')).toContainText(/\d (µs|ms)/);

  // A kernel that does not compile has its error at its line, in the verdict and in its lane.
  await write(ours.replace('var sum = 0.0;', 'var sum = nothing;'));
  await expect(page.getByRole('status').filter({ hasText: /^Line \d+: .*nothing/ })).toBeVisible();
  await expect(page.locator('.cm-lint-marker-error')).toBeVisible();
  await expectAccessible(page);
  await lab.press('Race my version');
  // In the verdict, and beside the button that was pressed.
  const broken = page.getByText(/^Your direct does not compile: conv\/direct\/fprop\.wgsl, line \d+/);
  await expect(broken.last()).toBeInViewport();

  // A version that is right is compared with the original, and its link opens it elsewhere.
  await write(`// mine\n${ours}`);
  await lab.press('Race my version');
  await expect(incorrect).toBeHidden();
  await expect(page.getByText(/^Your direct (and the original|takes)/)).toBeVisible();
  await lab.press('Copy challenge');
  // The link is packed first.
  await expect(page.getByRole('region', { name: 'Your kernel' }).getByRole('status')).toHaveText('Copied.');
  const link = await page.evaluate(() => navigator.clipboard.readText());

  await lab.press('Reset');
  await expect(editor).not.toContainText('mine');
  const other = await context.newPage();
  await other.goto(link);
  await expect(other.getByText('This link brings another version of conv/direct/fprop.wgsl.')).toBeVisible();
});

test.describe('where the CPU computes', () => {
  // It compiles a kernel in a tenth of a software GPU's time.
  test.use({ engine: 'cpu' });

  test('the winner map fills, a preset is stopped halfway, and the ladder has the loops of the CPU as its baseline', async ({
    page,
  }) => {
    await test.step('the winner map', async () => {
      const lab = await LabPage.open(page, 'map?N=1&filter=1&channels=2&images=4');
      await lab.press('Measure the map');
      const cell = (channels: number) =>
        page.getByRole('button', { name: new RegExp(`^C = K = ${channels}, 4 × 4: .*\\d (µs|ms)`) });
      await expect(cell(1)).toBeVisible();
      await expect(cell(2)).toBeVisible();
      await expect(lab.button('Measure the map')).toBeVisible();

      await cell(1).focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { name: /^fprop of N 1, C 2, 4 × 4/ })).toBeVisible();
      await expect(lab.verdict()).toBeVisible();
    });
    await test.step('a preset', async () => {
      const lab = await LabPage.open(page, 'presets');
      await expect(page.getByRole('heading', { name: 'N 16, K 16' })).toBeVisible();
      await lab.press('Measure all');
      const first = page
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name: 'N 1, K 1', exact: true }) });
      await expect(first.getByRole('listitem').filter({ hasText: 'implicit_gemm' }).first()).toContainText(
        /\d (µs|ms)/,
      );
      await lab.press('Stop');
      await expect(page.getByText(/^Stopped after \d+ of 27/)).toBeVisible();
    });
    await test.step('the ladder', async () => {
      const lab = await LabPage.open(page, 'ladder?N=1');
      await lab.press('Run all steps');
      await expect(lab.button('Run all steps')).toBeVisible();
      const panel = page.getByRole('region', { name: 'Steps' });
      const loops = panel.getByRole('listitem').filter({ hasText: 'Plain loops' });
      const first = panel.getByRole('listitem').filter({ hasText: 'One thread per output' });
      for (const layer of ['conv1: 6 filters of 5 × 5', 'conv2: 16 filters of 5 × 5']) {
        await expect(loops.getByText(layer).locator('..')).toContainText(/\d (µs|ms).*FLOP\/s/);
        await expect(first.getByText(layer).locator('..')).toContainText(/as fast as the loops/);
      }
      await first.getByText('The source').click();
      const source = page.getByRole('region', { name: 'Source of one thread per output' });
      await expect(source).toContainText('fn main(');
    });
  });
});

test('tuning pauses a run; pins are used by the next one', async ({ page }) => {
  const run = await RunPage.open(page);
  await run.set('Batch size', '4');
  await run.pace(5);
  await run.press('Train');
  await run.reaches(2);

  await page.getByRole('link', { name: 'Lab' }).click();
  const lab = new LabPage(page);
  await expect(page.getByText('Training in progress')).toBeVisible();
  await lab.show('Autotune');
  await expect(page.getByRole('columnheader', { name: 'This run' })).toBeVisible();
  const row = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'conv1 wgrad' }) });
  await row.getByRole('button', { name: 'Tune' }).click();
  await expect(page.getByText('Training paused while the Lab is measuring')).toBeVisible();
  await page.getByRole('link', { name: 'Train', exact: true }).click();
  await expect(run.value('Status')).toHaveText('Paused');
  await expect(page.getByRole('button', { name: 'Stay paused' })).toBeVisible();
  await page.getByRole('link', { name: 'Lab' }).click();
  await lab.show('Autotune');
  await expect(page.getByText('Done. The next run uses these results.')).toBeVisible();
  await expect(row).toContainText('measured');
  await expect(page.getByRole('region', { name: 'Training step' })).toContainText(/\d (µs|ms).*\d (µs|ms)/s);

  // Tuning results are exported, cleared and imported.
  const { text } = await lab.download('Export results');
  expect(JSON.parse(text).entries).toHaveLength(1);
  await lab.press('Clear results');
  await expect(row).not.toContainText('measured');
  await page
    .getByLabel('Tuning results file')
    .setInputFiles({ name: 'found.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await expect(page.getByText('1 entry imported.')).toBeVisible();
  await expect(row).toContainText('measured');

  await row.getByRole('button', { name: 'conv1 wgrad' }).click();
  await page
    .getByRole('button', { name: /^Pin ?im2col_gemm, / })
    .first()
    .click();
  await expect(row).toContainText('pinned');
  await expectTablesFitPhone(page);

  // The run resumes by itself, and keeps its algorithms; the next one uses the pin.
  await page.getByRole('link', { name: 'Train', exact: true }).click();
  await expect(run.value('Status')).toHaveText('Training');
  await run.press('Stop');
  await expect(run.value('Status')).toHaveText('Stopped');
  await run.press('Step');
  await expect(run.value('Status')).toHaveText('Paused');
  await page.getByRole('link', { name: 'Lab' }).click();
  // In the columns of this run and of the next one. It may also be among the fastest.
  const pinned = row.getByRole('cell').filter({ hasText: 'pinned' });
  await expect(pinned).toHaveCount(2);
  await expect(pinned.filter({ hasText: 'im2col_gemm' })).toHaveCount(2);
});
