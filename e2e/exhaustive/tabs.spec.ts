/** Two tabs on one run, one of which is killed: one writes at a time, nothing is damaged, and the other resumes at once. */
import { expect, type Page } from '@playwright/test';
import { Random } from '../../src/base/random.ts';
import { SEED } from '../../src/base/testing/tier.ts';
import { atFrames, atPace, test as base } from '../fixtures.ts';
import { keptCurve, keptRuns } from '../kept.ts';
import { RunPage } from '../run.ts';
import { showScreen } from '../screens.ts';

const KILLS = Number(process.env['WGRAD_KILLS'] ?? 40);

/**
 * Goes before the worker's code: files are read slowly, so that others replace them meanwhile, and written slowly, so that kills
 * come in between. It says which files of runs it renames, which is how they are written.
 */
const SLOW_FILES = `{
  const pause = (ms) => new Promise((done) => setTimeout(done, ms * Math.random()));
  const { move } = FileSystemFileHandle.prototype;
  FileSystemFileHandle.prototype.move = async function (folder, name) {
    await pause(40);
    await move.call(this, folder, name);
    console.log('wrote ' + name);
  };
  const { arrayBuffer } = Blob.prototype;
  Blob.prototype.arrayBuffer = async function () {
    if (this instanceof File || this.size > 0) await pause(60);
    return arrayBuffer.call(this);
  };
}\n`;

interface Tab {
  page: Page;
  run: RunPage;
  /** Names of the runs' files that it has written. */
  written: string[];
}

const test = base.extend<{ open(): Promise<Tab> }>({
  open: async ({ context }, provide) => {
    await context.route(/\/assets\/main-[^/]*\.js$/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: SLOW_FILES + (await response.text()) });
    });
    await atPace(context, 40);
    await provide(async () => {
      const page = await context.newPage();
      // Charts of two tabs would take as much of a processor as their runs.
      await atFrames(page, 5);
      const written: string[] = [];
      page.on('console', (message) => {
        const [, name] = /^wrote ((?:run|curve|checkpoint).*)/.exec(message.text()) ?? [];
        if (name !== undefined) written.push(name);
      });
      return { page, run: await RunPage.open(page), written };
    });
  },
});

const resume = ({ page }: Tab) =>
  page.getByRole('button', { name: /^Resume from step/ }).filter({ visible: true });

/** Looks at the Runs screen of a tab in which the run is not open. */
async function expectOpenElsewhere({ page, run }: Tab): Promise<void> {
  await showScreen(page, 'Runs');
  const table = page.getByRole('region', { name: 'Table of runs' });
  await expect(table).toContainText('other tab');
  await expect(table.getByRole('row')).toHaveCount(2);
  await expect(page.getByText(/(run is|runs are) damaged/)).toHaveCount(0);
  await showScreen(page, 'Train');
  await run.ready();
}

test(`${KILLS} tabs killed that share a run with another, seed ${SEED}`, async ({ open, context }) => {
  test.setTimeout((KILLS + 2) * 60_000);
  const random = new Random(SEED, 'tabs');
  let tabs = [await open(), await open()];
  const [{ run }] = tabs;
  await run.chooseSmallModel();
  await run.set('Batch size', '200');
  await run.press('Train');
  let holder = tabs[0];
  let [before, files] = [0, 0];
  for (let kill = 0; kill < KILLS; kill++) {
    const other = tabs.find((tab) => tab !== holder)!;
    await holder.run.reaches(before + 1);
    // One that is opened, or asked, while the first one writes.
    if (random.below(2) === 0) {
      await other.page.reload();
      await other.run.ready();
    }
    await expectOpenElsewhere(other);
    await expect(resume(other)).toHaveCount(0);
    if (random.below(3) === 0) await holder.run.press('Pause');
    await other.page.waitForTimeout(random.below(400));
    expect(other.written, 'files of a run that another tab has open').toEqual([]);
    files += holder.written.length;
    const devtools = await context.newCDPSession(holder.page);
    const crashed = holder.page.waitForEvent('crash');
    // Nobody is left to answer.
    void devtools.send('Page.crash').catch(() => undefined);
    await crashed;
    await holder.page.close();

    // It can be resumed at once, by one of two that want to.
    tabs = [other, await open()];
    for (const tab of tabs) await expect(resume(tab)).toBeVisible();
    await expect(other.page.getByText('checkpoint is damaged')).toHaveCount(0);
    const [kept] = await keptRuns(other.page);
    expect(kept.checkpoint?.step, 'no progress is lost').toBeGreaterThanOrEqual(before);
    before = kept.checkpoint?.step ?? 0;
    const { step } = await keptCurve(other.page, kept.id);
    expect([...step].slice(0, 2048)).toEqual([...step].map((_, at) => at + 1));
    const press = (button: HTMLElement | SVGElement) => (button as HTMLElement).click();
    // To one that sees soon enough that the other has it, it is no longer offered.
    await Promise.all(
      tabs.map((tab) =>
        resume(tab)
          .evaluate(press, { timeout: 2000 })
          .catch(() => undefined),
      ),
    );
    const statuses = () => Promise.all(tabs.map((tab) => tab.run.value('Status').textContent()));
    await expect.poll(async () => (await statuses()).toSorted()).toEqual(['Ready', 'Training']);
    holder = tabs[(await statuses()).indexOf('Training')];
  }
  console.log(
    `seed ${SEED}: ${KILLS} tabs killed, which had written ${files} files of their run; ${before} steps`,
  );
});
