import { readFileSync } from 'node:fs';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { walk } from './lessons.ts';

interface File {
  name: string;
  done: { run?: number }[];
  runs: { losses: { values: string }; test?: { testAccuracy: number } }[];
}

const upload = (name: string, content: object | string) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
});

/** The losses with that of a step changed, and what it was. */
function withLoss(values: string, step: number, loss: number): { values: string; was: number } {
  const bytes = Buffer.from(values, 'base64');
  const was = bytes.readFloatLE(4 * (step - 1));
  bytes.writeFloatLE(loss, 4 * (step - 1));
  return { values: bytes.toString('base64'), was };
}

test('a pupil hands a lesson in, and a teacher computes it again, with an edited copy beside it', async ({
  page,
}) => {
  await walk(page, 'learning-rate');
  await page.getByLabel('Your name').fill('Ada <b>L.</b>');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the file' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('wgrad-learning-rate-Ada-b-L-b.json');
  await expect(page.getByText(`Saved as ${download.suggestedFilename()}.`)).toBeVisible();
  await expectAccessible(page);
  const text = readFileSync(await download.path(), 'utf8');
  expect(text.length).toBeLessThan(20_000);
  const submitted = JSON.parse(text) as File;
  expect(submitted.runs).toHaveLength(3);

  const edited = structuredClone(submitted);
  edited.name = 'Bob';
  const [first, second, third] = edited.runs;
  const { values, was } = withLoss(second.losses.values, 5, 0.5);
  second.losses.values = values;
  if (third.test) third.test.testAccuracy = 0.999;
  expect(first).toEqual(submitted.runs[0]);
  // With the run of the second task alone, in which the network learns nothing, nor breaks down.
  const claimed = structuredClone(submitted);
  claimed.name = 'Cy';
  claimed.runs = [submitted.runs[1]];
  for (const task of claimed.done) task.run = 0;

  await page.goto('./#/lessons');
  await page.getByRole('link', { name: 'Results that were handed in' }).click();
  await page
    .getByLabel('Files that were handed in')
    .setInputFiles([
      upload('ada.json', text),
      upload('bob.json', edited),
      upload('cy.json', claimed),
      upload('again.json', text),
      upload('holiday.json', '{"format": "photo"}'),
    ]);
  await expect(page.getByText('3 results here.')).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('holiday.json: expected format to be');
  const answers = page.getByRole('table', { name: /^Answers/ });
  await expect(answers.getByRole('row', { name: /Ada <b>L\.<\/b>/ })).toBeVisible();
  await expect(answers.getByRole('row', { name: /Bob/ })).toContainText('It learns a million times as fast');
  const runs = page.getByRole('table', { name: /^Runs/ });
  const runOf = (name: RegExp, task: number) =>
    runs.getByRole('row', { name: new RegExp(`${name.source}.*, task ${task}`) });
  await expect(runOf(/Ada/, 1)).toContainText('Not computed yet');

  await test.step('computing again can be stopped, and takes the first steps alone', async () => {
    await page.getByRole('button', { name: 'Compute again' }).click();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect(page.getByText(/^Stopped after [0-7] runs?/)).toBeVisible();
    await page.getByRole('radio', { name: 'First 50 steps' }).check();
    await page.getByRole('button', { name: 'Compute again' }).click();
    await expect(page.getByText('7 runs computed again.')).toBeVisible();
    await expect(runOf(/Bob/, 3)).toContainText(
      'Confirmed exactly the same numbers, 50 losses compared, of the first 50 steps alone',
    );
  });
  await page.getByRole('radio', { name: 'Everything' }).check();
  await page.getByRole('button', { name: 'Compute again' }).click();
  await expect(page.getByText('7 runs computed again.')).toBeVisible();
  for (const task of [1, 2, 3])
    await expect(runOf(/Ada/, task)).toContainText(
      /Confirmed exactly the same numbers, \d+ losses? compared(?!,)/,
    );
  await expect(runOf(/Bob/, 1)).toContainText('Confirmed');
  await expect(runOf(/Cy/, 3)).toContainText('Confirmed');
  await expect(answers.getByRole('row', { name: /Cy/ })).toContainText(
    '3 of 3Not done, by the answers and runs in the file: tasks 1, 3',
  );
  await expect(answers.getByRole('row', { name: /Ada/ })).not.toContainText('Not done');
  // Nothing is shown by runs that come out otherwise.
  await expect(answers.getByRole('row', { name: /Bob/ })).toContainText(
    'Not done, by the answers and runs in the file: tasks 2, 3',
  );
  await expect(runOf(/Bob/, 2)).toContainText(
    `Differs from step 5: loss 0.5 in the file, ${Number(was.toPrecision(9))} here`,
  );
  await expect(runOf(/Bob/, 3)).toContainText(
    /Differs test accuracy at step \d+: 0\.999 in the file, 0\.\d+ here/,
  );
  await expect(page.getByText('A result that differs is no proof of anything.')).toBeVisible();
  await expectAccessible(page);
  for (const [width, height] of [
    [1366, 768],
    [390, 844],
  ]) {
    await page.setViewportSize({ width, height });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
});
