import type { Page } from '@playwright/test';
import { expectExportedPageAnswers } from '../exported.ts';
import { LabPage } from '../lab.ts';
import { keptCurve, keptRuns } from '../kept.ts';
import { LONG, trainDrawResume } from './processor.ts';
import { expectStatus, read, type PlaywrightTab } from './tab.ts';
import { expect, test } from './visit.ts';

/** How far Firefox's losses may be from Chromium's: other shader compilers round differently. */
const CLOSE = 1e-5;
const STEPS = 10;
/** Few images, which a software GPU computes for as long as it compiles the kernels. */
const BATCH = '8';

/** The losses of the first steps of LeNet-5 on the synthetic digits, in full. */
async function firstLosses(tab: PlaywrightTab): Promise<number[]> {
  await tab.open();
  await expectStatus(tab, 'Ready');
  await tab.set('Batch size', BATCH);
  await tab.press('Train');
  await expect.poll(() => read(tab, 'Step')).toBeGreaterThanOrEqual(STEPS);
  await tab.press('Pause');
  await expectStatus(tab, 'Paused');
  const losses = async () => {
    const [run] = await keptRuns(tab.page);
    if (run?.state !== 'paused') return [];
    return [...(await keptCurve(tab.page, run.id)).loss.subarray(0, STEPS)];
  };
  await expect.poll(losses).toHaveLength(STEPS);
  return losses();
}

interface Result {
  direction: string;
  tried: { algorithm: string; launch: string; outcome: string }[];
}

/** The text of a file that the page hands to the browser: Playwright does not report downloads in Firefox. */
async function downloaded(page: Page, press: () => Promise<void>): Promise<string> {
  await page.evaluate(() => {
    const make = URL.createObjectURL;
    URL.createObjectURL = (file: Blob) => {
      Object.assign(globalThis, { downloaded: file.text() });
      return make.call(URL, file);
    };
  });
  await press();
  return page.evaluate('downloaded');
}

test('Firefox with WebGPU: LeNet-5 trains as in Chromium, and every algorithm is correct', async ({
  visit,
}) => {
  const fox = await visit('Firefox with WebGPU');
  const ours = await firstLosses(fox);
  const theirs = await firstLosses(await visit('Chromium with WebGPU'));
  for (const [i, loss] of ours.entries()) {
    expect(Math.abs(loss - theirs[i]), `loss of step ${i + 1}: ${loss}, ${theirs[i]}`).toBeLessThan(CLOSE);
  }
  await fox.press('Stop');

  const { page } = fox;
  for (const direction of ['fprop', 'dgrad', 'wgrad']) {
    await test.step(direction, async () => {
      const lab = await LabPage.open(
        page,
        `race?N=2&C=4&H=8&W=8&K=4&R=3&S=3&padding=1&direction=${direction}`,
      );
      await lab.race();
      await expect(lab.button('JSON')).not.toHaveAttribute('aria-disabled');
      const { results } = JSON.parse(await downloaded(page, () => lab.press('JSON'))) as {
        results: Result[];
      };
      const [{ tried }] = results;
      expect(results.map((result) => result.direction)).toEqual([direction]);
      expect(tried.filter(({ outcome }) => outcome !== 'timed')).toEqual([]);
      expect(new Set(tried.map(({ algorithm }) => algorithm)).size).toBeGreaterThan(5);
    });
  }
});

test('Firefox without WebGPU: a person trains on the processor, draws, and resumes', async ({ visit }) => {
  const tab = await visit('Firefox without WebGPU');
  await tab.open(LONG);
  await trainDrawResume('Firefox', tab);
  await test.step('an exported page answers from disk', () => expectExportedPageAnswers(tab.page));
});
