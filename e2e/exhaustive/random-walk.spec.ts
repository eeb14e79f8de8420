/**
 * A random walk through the page: what a person does, in any order, with a second tab now and then. No error in the console,
 * nothing refused, the numbers of a run never mix with another's, what is kept is whole, and memory is freed.
 */
import type { Locator, Page } from '@playwright/test';
import { Random } from '../../src/base/random.ts';
import { SEED } from '../../src/base/testing/tier.ts';
import { expect, test } from '../fixtures.ts';
import { keptCurve, keptRuns } from '../kept.ts';
import { RunPage } from '../run.ts';
import { showScreen } from '../screens.ts';

const ACTIONS = Number(process.env['WGRAD_ACTIONS'] ?? 300);
const SCREENS = ['Train', 'Build', 'Inspect', 'Lab', 'Profile', 'Doctor', 'Studies', 'Runs'];

/**
 * What the pad, Inspect and other screens that were visited may hold of a run, besides what it holds itself. A run that is
 * not freed has three times as many, and so has an action that leaves one each time.
 */
const MORE_BUFFERS = 10;

/** What was there a moment ago is looked for no longer: another run may have begun, or the window be narrower. */
const GONE_MS = 3000;

/** Whether it could be done. */
const succeeds = (done: Promise<unknown>): Promise<boolean> =>
  done.then(
    () => true,
    () => false,
  );

const ledger = (page: Page) => page.evaluate<{ buffers: number; bytes: number }>('wgrad.ledger()');

/** What a window's sizes are, and how wide it is at first. */
const WINDOWS = {
  'in a window of any size': [
    [1280, 800],
    [1280, 600],
    [800, 600],
    [360, 800],
  ],
  'on a phone that is turned': [
    [390, 844],
    [844, 390],
  ],
} as const;

/** The smallest model, in batches of which training makes many. */
async function prepare(run: RunPage): Promise<void> {
  const settings = run.page.getByRole('radio', { name: 'Settings', exact: true });
  if (await settings.isVisible()) await settings.check({ force: true });
  await run.chooseSmallModel();
  await run.set('Batch size', '50');
}

for (const [where, sizes] of Object.entries(WINDOWS)) {
  test.describe(where, () => {
    const [[width, height]] = sizes;
    test.use({ viewport: { width, height }, hasTouch: where === 'on a phone that is turned' });
    walk(where, sizes);
  });
}

function walk(where: string, sizes: readonly (readonly [number, number])[]): void {
  test(`${ACTIONS} actions at random, seed ${SEED}`, async ({ page, context, complaints }) => {
    // A device that is lost is reported.
    complaints.allow(/device was lost/i);
    test.setTimeout(ACTIONS * 8000);
    const random = new Random(SEED, 'page');
    const one = <T>(of: readonly T[]): T => of[random.below(of.length)];
    const trace: string[] = [];
    const run = await RunPage.open(page);
    await prepare(run);
    let other: RunPage | undefined;
    /** What is left when a run has started and been stopped. */
    const buffersOfARun = async () => {
      await run.press('Train');
      await run.reaches(1);
      await run.press('Stop');
      await expect(run.value('Status')).toHaveText('Stopped');
      return (await ledger(page)).buffers;
    };
    const before = await buffersOfARun();

    /** Presses it if it is there and can be pressed. */
    const press = async (button: Locator): Promise<boolean> => {
      const shown = button.filter({ visible: true });
      if ((await shown.count()) === 0) return false;
      const ready = await shown
        .first()
        .evaluate(
          (node) => node.getAttribute('aria-disabled') !== 'true' && !(node as HTMLButtonElement).disabled,
          undefined,
          { timeout: GONE_MS },
        )
        .catch(() => false);
      return ready && succeeds(shown.first().click({ timeout: GONE_MS }));
    };
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
    const screen = (name: string) => showScreen(page, name);
    /** Opens one of the tabs that the Train screen has on a phone. They move when its bars do. */
    const tab = async (name: string) => {
      const radio = page.getByRole('radio', { name, exact: true });
      return (await radio.isVisible()) && succeeds(radio.check({ force: true, timeout: GONE_MS }));
    };
    /** Changes a setting of the Train screen, if it can be changed now. */
    const change = async (field: Locator, set: () => Promise<unknown>) => {
      await screen('Train');
      await tab('Settings');
      const inView = await field.isVisible();
      if (!inView) {
        if (!(await button(/^Advanced\b/).isVisible())) return false;
        await run.open('Advanced');
      }
      const changed = (await field.isEnabled()) && (await succeeds(set()));
      if (!inView) await run.closePanel();
      return changed;
    };
    const fill = (label: string, value: string) => {
      const field = page.getByLabel(label, { exact: true });
      return change(field, () => field.fill(value, { timeout: GONE_MS }));
    };
    const select = (name: string) => {
      const choice = page.getByRole('combobox', { name });
      const model = { label: one(['Softmax regression', 'Multilayer perceptron', 'LeNet-5']) };
      return change(choice, () => choice.selectOption(model, { timeout: GONE_MS }));
    };
    /** Opens the details of one of the runs. */
    const openRun = async () => {
      await screen('Runs');
      const names = page
        .getByRole('region', { name: 'Table of runs' })
        .getByRole('button', { name: /^[a-z]+-[a-z]+-\d+$/ });
      const count = await names.count();
      if (count === 0) return false;
      return succeeds(names.nth(random.below(count)).click({ timeout: GONE_MS }));
    };
    const actions: Record<string, () => Promise<unknown>> = {
      train: () => press(run.control('Train')),
      resume: () => press(run.control('Resume')),
      pause: () => press(run.control('Pause')),
      step: () => press(run.control('Step')),
      restart: () => press(run.control('Restart')),
      stop: () => press(run.control('Stop')),
      seed: () => fill('Seed', String(1 + random.below(2))),
      lr: () => fill('Learning rate', one(['0.01', '0.003'])),
      batch: () => fill('Batch size', one(['50', '100'])),
      model: () => select('Model'),
      pace: async () => {
        const slider = page.getByLabel('Pace', { exact: true });
        return (
          (await slider.isVisible()) && succeeds(slider.fill(one(['6', '7', '11']), { timeout: GONE_MS }))
        );
      },
      screen: () => screen(one(SCREENS)),
      engine: async () => {
        await succeeds((await run.engine('CPU')).click({ force: true, timeout: GONE_MS }));
        await page.keyboard.press('Escape');
      },
      draw: async () => {
        const pad = page.getByRole('img', { name: /^Drawing pad/ }).filter({ visible: true });
        if ((await pad.count()) === 0) return false;
        const to = 0.4 + random.uniform(0, 0.2);
        return succeeds(
          run.draw([
            [0.5, 0.2],
            [to, 0.8],
          ]),
        );
      },
      resumeSaved: () => press(button(/^Resume from step/)),
      resumeKept: async () => (await openRun()) && press(button('Resume')),
      fork: async () => (await openRun()) && press(button(/^Fork from step/)),
      delete: async () => (await openRun()) && press(button('Delete')),
      undo: () => press(button('Undo')),
      theme: () =>
        page.evaluate((theme) => (document.documentElement.dataset['theme'] = theme), one(['dark', 'light'])),
      resize: () => {
        const [width, height] = one(sizes);
        return page.setViewportSize({ width, height });
      },
      tab: () => tab(one(['Try', 'Curves', 'Mistakes', 'Settings'])),
      loseDevice: () => page.evaluate('wgrad.loseDevice()'),
      reload: () => page.reload(),
      otherTab: async () => {
        if (other) {
          await other.page.close();
          other = undefined;
          await page.bringToFront();
          return;
        }
        other = await RunPage.open(await context.newPage());
        await prepare(other);
        await other.press('Train');
        await page.bringToFront();
      },
    };
    const often = ['train', 'resume', 'pause', 'step', 'screen', 'resumeSaved', 'seed'];
    const seldom = ['loseDevice', 'reload', 'otherTab', 'delete', 'engine'];
    const usual = Object.keys(actions).filter((name) => !seldom.includes(name));
    const names = [...often, ...usual, ...often, ...usual, 'train', 'train', ...seldom];
    let taken = 0;
    try {
      for (let tries = 0; taken < ACTIONS; tries++) {
        expect(tries, 'tries').toBeLessThan(10 * ACTIONS);
        const name = one(names);
        // Not everything can be done at any time.
        if ((await actions[name]()) === false) continue;
        taken++;
        trace.push(name);
        if (random.below(3) === 0) await page.waitForTimeout(random.below(300));
        const alerts = await page.getByRole('alert').filter({ visible: true }).allTextContents();
        expect(alerts, 'what the page reports').toEqual([]);
        await expect(page.getByText('failed to load'), 'screens that could not be shown').toHaveCount(0);
      }
      console.log(`seed ${SEED}, ${where}: ${trace.join(' ')}`);
      await other?.page.close();
      await page.setViewportSize({ width: 1280, height: 800 });
      await screen('Train');
      // While it recovers from a lost device, a run cannot be stopped.
      await expect(async () => {
        await press(run.control('Stop'));
        await expect(run.control('Train')).toBeVisible({ timeout: GONE_MS });
      }).toPass({ timeout: 60_000 });
      await prepare(run);
      expect(await buffersOfARun(), 'buffers that a run leaves').toBeLessThanOrEqual(before + MORE_BUFFERS);
      // Afterwards it starts, trains and ends a run like a page that was just opened.
      await page.reload();
      await run.ready();
      expect((await ledger(page)).buffers, 'buffers before the first run').toBe(0);
      await buffersOfARun();

      // Runs with the same settings have the same losses at the same steps, and no step is missing.
      const losses = new Map<string, { loss: number; name: string }>();
      for (const { id, name, config, parent, step: last } of await keptRuns(page)) {
        const { step, loss } = await keptCurve(page, id).catch(() => ({
          step: new Float64Array(),
          loss: undefined,
        }));
        expect([...step], `the steps of ${name}`).toEqual([...step].map((_, at) => at + 1));
        if (step.length < 2048)
          expect(step.length, `the curve of ${name}`).toBeGreaterThanOrEqual(Math.min(last, 1));
        if (config.start || parent?.step !== undefined) continue;
        const { seed, batchSize, model, dataset, optimizer } = config;
        // A run whose learning rate was changed has other losses from there on; the first one is the same.
        const first = JSON.stringify([seed, batchSize, model, dataset, optimizer]);
        if (!loss) continue;
        const known = losses.get(first);
        if (known)
          expect(loss[0], `the first loss of ${name}, and of ${known.name}`).toBeCloseTo(known.loss, 6);
        else losses.set(first, { loss: loss[0], name });
      }
    } catch (error) {
      console.log(`seed ${SEED}: ${trace.join(' ')}`);
      throw error;
    }
  });
}
