/** A GPU process that crashes until the browser gives no adapter any more: the run fails, and what it saved resumes. */
import { ANY_GPU, browser as withFlags } from '../browser.ts';
import { expect, test } from '../fixtures.ts';
import { crashGpu, LOST } from '../gpu-crash.ts';
import { RunPage } from '../run.ts';

// Without the flags by which a browser continues after crashes.
test.use({ engine: 'gpu', launchOptions: withFlags(ANY_GPU) });

test('two crashes, after which there is no adapter: the page says so after three tries, and the run resumes on the CPU', async ({
  page,
  browser,
  complaints,
}) => {
  complaints.allow(/GPU/);
  const run = await RunPage.open(page);
  await run.chooseSmallModel();
  await run.set('Batch size', '8');
  await run.pace(100);
  await run.press('Train');
  await run.reaches(20);
  await crashGpu(browser);
  await expect(page.getByText(LOST)).toBeVisible();
  await run.reaches((await run.read('Step')) + 20, 90_000);
  await run.press('Pause');
  await expect(run.value('Status')).toHaveText('Paused');
  const saved = await run.read('Step');
  await run.press('Resume');
  await run.reaches(saved + 5);

  await run.worker().evaluate(() => {
    const { prototype } = GPU;
    const { requestAdapter } = prototype;
    const asked: (string | undefined)[] = [];
    Object.assign(globalThis, { asked });
    prototype.requestAdapter = function (options) {
      asked.push(options?.featureLevel);
      return requestAdapter.call(this, options);
    };
  });
  await crashGpu(browser);
  await expect(page.getByText('No GPU available', { exact: true })).toBeVisible();
  await expect(run.value('Status')).toHaveText('Failed');
  const asked = await run
    .worker()
    .evaluate(() => (globalThis as unknown as { asked: (string | undefined)[] }).asked);
  // Each try asks for one of compatibility mode where there is none of core WebGPU.
  expect(asked.filter((level) => level === 'core').length, asked.join()).toBeLessThanOrEqual(3);
  expect(asked.length).toBeLessThanOrEqual(6);

  await page.getByRole('button', { name: 'Use the CPU' }).click();
  await expect(run.device('CPU')).toBeVisible();
  await page.reload();
  await run.ready();
  const resume = page.getByRole('button', { name: /^Resume from step/ });
  await expect(resume).toBeVisible();
  const from = Number(/step ([\d,]+)/.exec((await resume.textContent()) ?? '')?.[1].replaceAll(',', ''));
  expect(from).toBeGreaterThanOrEqual(saved);
  await resume.click();
  await run.reaches(from + 20);
  await run.press('Stop');
});
