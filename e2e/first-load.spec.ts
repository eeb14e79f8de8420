import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { MAX_BYTES } from '../scripts/vite/first-load.ts';
import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';

/** Bytes of all scripts that are loaded from now on, by path, gzipped as by a server. */
function scriptsOf(page: Page): Map<string, Promise<number>> {
  const scripts = new Map<string, Promise<number>>();
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.endsWith('.js')) return;
    scripts.set(
      pathname,
      response.body().then((body) => gzipSync(body).length),
    );
  });
  return scripts;
}

/** What only shows something, fetched beside the images or when the pad has been answered: it holds up neither the answer nor a run. */
const SHOWS =
  /\/(FirstSentence|LiveNetwork|MapCanvas|tiles|text-scale|inspect-store|units|inspect(\.part)?|mirrored|network|histograms|abouts|source|nearest|CurvesPanel|MetricChart|view|show|Pace\.module|Ghost|recorded-run|Forecast|epochs|pace|timing|Memory|receptive|numbers)-/;
const MOST_TO_SHOW = 39_000;

/** Curves, changes and pictures of what was learnt, and what keeps it, fetched when there is a step to show and to keep. */
const AFTER_FIRST_STEP =
  /\/(Milestone|ChangesBar|origin|PrintSheet|Confusion|Facts|layers|DataTable|results|differences|runs|Plot|plot|token|ticks|Slices|later|run-folder|packed|safetensors|json|plain-json|marks)-/;

/** What a machine with more to do fetches: what to do about a worker that does not answer in time. */
const WHERE_BUSY = /\/PageNotices-/;

test.describe('on a GPU', () => {
  test.use({ engine: 'gpu' });

  test('from the opened page to the end of the first step less than 250 KB of scripts are loaded, and the rest loads on demand', async ({
    page,
  }) => {
    const scripts = scriptsOf(page);
    const run = await RunPage.open(page);
    await expect(run.answer()).toHaveText(/^\d$/);
    expect([...scripts.keys()].filter((name) => AFTER_FIRST_STEP.test(name))).toEqual([]);
    await run.press('Train');
    await run.reaches(1);
    await run.press('Stop');
    expect([...scripts.keys()].filter((name) => name.includes('/main-'))).toHaveLength(1);
    const sizes = await Promise.all([...scripts].map(async ([name, bytes]) => [name, await bytes] as const));
    const sumOf = (some: typeof sizes) => some.reduce((total, [, bytes]) => total + bytes, 0);
    const listed = sizes.map((one) => one.join(' ')).join('\n');
    const toShow = sizes.filter(([name]) => SHOWS.test(name));
    expect(sumOf(toShow), listed).toBeLessThan(MOST_TO_SHOW);
    const sum = sumOf(
      sizes.filter(([name]) => !AFTER_FIRST_STEP.test(name) && !SHOWS.test(name) && !WHERE_BUSY.test(name)),
    );
    expect(sum, listed).toBeLessThan(MAX_BYTES);
    // Much less would mean that scripts were missed.
    expect(sum).toBeGreaterThan(MAX_BYTES / 2);

    const before = scripts.size;
    await page.getByRole('link', { name: 'Lab' }).click();
    const later = () => [...scripts.keys()].slice(before).map((name) => /([^/]+?)-/.exec(name)?.[1]);
    await expect.poll(later).toEqual(expect.arrayContaining(['LabScreen', 'lab.part']));
  });
});

test('a part that cannot be fetched is reported, and a run continues', async ({ page, complaints }) => {
  complaints.allow(/lab\.part-|ERR_FAILED/);
  await page.route(/\/lab\.part-[^/]*\.js$/, (route) => route.abort());
  const run = await RunPage.open(page);
  await run.chooseSmallModel();
  await run.pace(40);
  await run.press('Train');
  await run.reaches(1);
  await page.getByRole('link', { name: 'Lab' }).click();
  await expect(page.getByText('Part of the app could not be loaded')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reload' })).toBeVisible();
  await page.getByRole('link', { name: 'Train', exact: true }).click();
  await run.reaches((await run.read('Step')) + 2);
});
