/** All lessons from their beginning to their end, which train for two minutes in all, and what their teacher sees of them. */
import { readFileSync } from 'node:fs';
import { expectAccessible } from '../axe.ts';
import { expect, test } from '../fixtures.ts';
import { walk, WALKS } from '../lessons.ts';
import { meter, slowness } from '../processor-time.ts';

/** Of the page's process, for the whole lesson. */
const MOST_SECONDS = 90;

const SIZES = { laptop: { width: 1366, height: 768 }, phone: { width: 390, height: 844 } };

for (const [where, viewport] of Object.entries(SIZES))
  for (const name of Object.keys(WALKS))
    test(`on a ${where}, the lesson “${name}” is done as a pupil would, a wrong guess first, and every task is done when it is computed again`, async ({
      page,
    }) => {
      await page.setViewportSize(viewport);
      await page.goto('./#/lessons');
      const taken = await meter(page);
      await walk(page, name);
      const seconds = (await taken()).process / 1e3;
      console.log(`${name}: ${seconds.toFixed(1)} s of processor time`);
      expect(seconds).toBeLessThan(MOST_SECONDS * (await slowness(page)));
      await expectAccessible(page);

      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save the file' }).click();
      const buffer = readFileSync(await (await downloading).path());
      await page.goto('./#/lessons/submissions');
      await page
        .getByLabel('Files that were handed in')
        .setInputFiles({ name: 'file.json', mimeType: 'application/json', buffer });
      await page.getByRole('button', { name: 'Compute again' }).click();
      await expect(page.getByText(/ computed again\.$/)).toBeVisible();
      // In the pupil's own browser, where own images are there, too.
      const { runs } = JSON.parse(String(buffer)) as { runs: object[] };
      await expect(page.locator('[data-verdict]')).toHaveText(runs.map(() => 'Confirmed'));
      await expect(page.getByRole('table', { name: /^Answers/ })).not.toContainText('Not done');
      await expectAccessible(page);
    });
