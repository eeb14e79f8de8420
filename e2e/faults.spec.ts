import { readFile } from 'node:fs/promises';
import type { Worker } from '@playwright/test';
import { PNG } from 'pngjs';
import { zipOf } from '../src/data/testing.ts';
import { expect, test } from './fixtures.ts';
import { keptRuns } from './kept.ts';
import { LabPage } from './lab.ts';
import { hang, RunPage } from './run.ts';
import { showScreen } from './screens.ts';

/** What would run if a name were taken for markup. */
const MARKUP = '<img src=x onerror="alert(1)"><b>bold</b>';

/** A black picture. */
const png = () => PNG.sync.write(new PNG({ width: 8, height: 8 }));

test('markup in the names of a model, its layers, a data set and its classes is text', async ({ page }) => {
  const run = await RunPage.open(page);
  const shown = page.locator('img[src="x"], b:text-is("bold")');
  await showScreen(page, 'Build');
  const layers = [
    { name: 'flatten', op: 'flatten' },
    { name: 'fc', op: 'linear', attributes: { outFeatures: 2 } },
  ];
  const open = (name: string, changes: object) =>
    page
      .getByLabel('Model file')
      .setInputFiles({
        name,
        mimeType: 'application/json',
        buffer: Buffer.from(
          JSON.stringify({ name: 'own', input: [1, 28, 28], classes: 2, layers, ...changes }),
        ),
      });
  await open('titled.json', { title: MARKUP, description: MARKUP });
  await expect(page.getByLabel('Name', { exact: true }).first()).toHaveValue(MARKUP);
  await page.getByRole('link', { name: 'Graph' }).click();
  await page.getByRole('link', { name: 'Code' }).click();
  await expect(shown).toHaveCount(0);
  await open(`${MARKUP}.json`, { layers: [{ name: MARKUP, op: 'flatten' }] });
  await expect(page.getByRole('alert')).toContainText(MARKUP);
  await expect(shown).toHaveCount(0);

  await showScreen(page, 'Train');
  await run.choose('Your images');
  const folders = [MARKUP, `<script>alert(1)</script>`].map((name) => name.replaceAll('/', '\u2215'));
  const members = folders.flatMap((folder) =>
    [0, 1, 2].map((i) => ({ path: `${folder}/${i}.png`, data: png(), deflate: true })),
  );
  await page
    .getByLabel('Files of images')
    .setInputFiles({
      name: `${MARKUP}.zip`,
      mimeType: 'application/zip',
      buffer: Buffer.from(zipOf(members)),
    });
  await page.getByRole('button', { name: 'Use these images' }).click();
  await expect(page.getByText('6 images in 2 classes')).toBeVisible();
  await expect(page.getByText(folders[0]).first()).toBeVisible();
  await run.closePanel();
  await run.press('Step');
  await expect(run.value('Step')).toHaveText('1');
  for (const screen of ['Inspect', 'Runs', 'Train']) await showScreen(page, screen);
  await expect(shown).toHaveCount(0);
  await run.press('Stop');
});

test('names with markup are text; a worker that ends without a word, or hangs, is noticed, and runs stay', async ({
  page,
}) => {
  const run = await RunPage.finished(page);
  await showScreen(page, 'Runs');
  const rows = page.getByRole('region', { name: 'Table of runs' }).getByRole('row');
  await rows.getByRole('button', { name: /^[a-z]+-[a-z]+-1$/ }).click();
  await page.getByLabel('Name', { exact: true }).fill(MARKUP);
  await page.getByLabel('Note', { exact: true }).fill(MARKUP);
  await page.getByLabel('Name', { exact: true }).focus();
  await expect(page.getByRole('heading', { level: 2, name: MARKUP, exact: true })).toBeVisible();
  await expect(page.locator('img[src="x"]')).toHaveCount(0);
  await showScreen(page, 'Train');
  const kept = async () => (await keptRuns(page))[0];
  await expect.poll(kept, 'what a worker keeps').toMatchObject({ name: MARKUP, checkpoint: { step: 20 } });

  const restart = page.getByRole('button', { name: 'Restart worker' }).filter({ visible: true });
  const ends = async (what: string, title: string, end: (worker: Worker) => Promise<unknown>) =>
    test.step(what, async () => {
      // Its answer is lost with it.
      void end(run.worker()).catch(() => undefined);
      await expect(page.getByText(title, { exact: true }).filter({ visible: true })).toBeVisible();
      await restart.click();
      await run.ready();
      await expect(restart).toHaveCount(0);
      await showScreen(page, 'Runs');
      await expect(rows.getByRole('button', { name: MARKUP, exact: true })).toBeVisible();
      await showScreen(page, 'Train');
    });
  await ends('a worker that ends', 'The training worker crashed', (worker) =>
    worker.evaluate(() => {
      self.close();
    }),
  );
  await ends('a worker that hangs', 'The training worker does not respond', (worker) => hang(worker));
  await page
    .getByRole('button', { name: /^Resume from step 20/ })
    // Runs has one, too.
    .filter({ visible: true })
    .click();
  await run.reaches(21);
  await run.press('Stop');
});

test('a kernel of one’s own that never ends: the page says so, and works again', async ({
  page,
  complaints,
}) => {
  // Chromium styles what is inserted at once into text that can be edited; the policy refuses that, and nothing is lost.
  complaints.allow(/Applying inline style|^policy: style-src-attr refuses inline/);
  const lab = await LabPage.open(page, 'race?N=1&C=2&H=6&W=6&K=3&R=3&S=3&padding=1&algorithms=direct');
  await lab.race();
  await page.getByRole('button', { name: 'direct', exact: true }).click();
  await page.getByRole('button', { name: 'WGSL of direct, one thread per output' }).last().click();
  const editor = page.getByRole('textbox', { name: 'WGSL of conv/direct/fprop' });
  const ours = await readFile('shaders/conv/direct/fprop.wgsl', 'utf8');
  await expect(editor).toContainText('var sum = 0.0;');
  await editor.press('ControlOrMeta+a');
  // A sum that only grows, which no compiler knows.
  await page.keyboard.insertText(
    ours.replace(
      'var sum = 0.0;',
      'var sum = 0.0;\n  loop {\n    sum += 1.0;\n    if (sum < 0.0) { break; }\n  }',
    ),
  );
  await expect(page.getByText('It compiles.')).toBeVisible();
  await lab.press('Race my version');
  await expect(
    page.getByText('The training worker does not respond').filter({ visible: true }),
  ).toBeVisible();
  // The page can still be used.
  await showScreen(page, 'Build');
  await showScreen(page, 'Lab');
  await page.getByRole('button', { name: 'Restart worker' }).filter({ visible: true }).click();
  await expect(page.getByText('The worker ended during the measurement.')).toBeVisible();
  await page.getByRole('button', { name: 'WGSL of direct, one thread per output' }).last().click();
  await lab.press('Reset');
  await lab.race();
});
