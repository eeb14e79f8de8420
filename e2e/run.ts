import { expect, test, type Locator, type Page, type Worker } from '@playwright/test';

export type Control = 'Train' | 'Resume' | 'Pause' | 'Step' | 'Restart' | 'Stop';
export type ShownValue = 'Status' | 'Epoch' | 'Step' | 'Loss' | 'Test accuracy' | 'Images/s';

/** What the cards at the left open: a panel that stays until it is closed. */
export type Panel = 'Data' | 'Layers' | 'Advanced';

/** Positions of the slider: some of its steps per second. */
const PACES = { 'slow motion': '0', 5: '3', 10: '4', 20: '5', 40: '6', 100: '7', full: '11' };

/** A stroke for the pad: a ring, slightly higher than wide. */
export const ZERO = Array.from({ length: 25 }, (_, i) => {
  const angle = (i / 24) * 2 * Math.PI;
  return [0.5 - 0.2 * Math.sin(angle), 0.5 - 0.32 * Math.cos(angle)] as const;
});

/** Draws one stroke through points from (0, 0), the pad's top left, to (1, 1). */
export async function drawOn(page: Page, pad: Locator, points: readonly (readonly [number, number])[]) {
  await pad.scrollIntoViewIfNeeded();
  const box = await pad.boundingBox();
  if (!box) throw new Error('the pad has no place on the page');
  const { mouse } = page;
  for (const [i, [x, y]] of points.entries()) {
    await mouse.move(box.x + x * box.width, box.y + y * box.height);
    if (i === 0) await mouse.down();
  }
  await mouse.up();
}

/** Makes a worker loop forever; not in the evaluation itself, which the debugger protects from being interrupted. */
export const hang = (worker: Worker): Promise<unknown> =>
  worker.evaluate(() => {
    setTimeout(() => {
      for (;;);
    });
  });

/** A user's actions and readings on the page, with elements found by role and name. */
export class RunPage {
  constructor(readonly page: Page) {}

  /** Opens the page and waits until a run could start. */
  static async open(page: Page): Promise<RunPage> {
    const run = new RunPage(page);
    await page.goto('./');
    await run.ready();
    return run;
  }

  /** Opens the page and trains the smallest model for one epoch: 20 steps, which take no time. The run is stopped. */
  static async finished(page: Page): Promise<RunPage> {
    const run = await RunPage.open(page);
    await run.chooseSmallModel();
    await run.set('Batch size', '500');
    await run.set('Target accuracy', '1');
    await run.press('Train');
    await expect(run.value('Status')).toHaveText('Stopped early');
    await run.press('Stop');
    return run;
  }

  async ready(): Promise<void> {
    await expect(this.value('Status')).toHaveText('Ready');
  }

  value = (name: ShownValue): Locator => this.page.getByLabel(name, { exact: true });

  control = (name: Control): Locator => this.page.getByRole('button', { name, exact: true });

  /** Opens the command palette, which comes in a moment the first time, and types there. */
  async command(text: string): Promise<void> {
    await this.page.keyboard.press('Control+k');
    const query = this.page.getByRole('combobox', { name: 'Search commands' });
    await expect(query).toBeFocused();
    await query.fill(text);
  }

  press = (name: Control): Promise<void> => this.control(name).click();

  /** A value as a number; NaN for the dash of what was not measured yet. */
  async read(name: ShownValue): Promise<number> {
    const text = (await this.value(name).textContent()) ?? '';
    return Number.parseFloat(text.replaceAll(',', ''));
  }

  /** Opens a panel, in place of another one. */
  async open(panel: Panel): Promise<void> {
    const opener = this.page.getByRole('button', { name: new RegExp(`^${panel}\\b`) });
    if ((await opener.getAttribute('aria-expanded')) === 'true') return;
    await this.closePanel();
    await opener.click();
    await expect(this.page.getByRole('button', { name: 'Close', exact: true })).toBeVisible();
  }

  async closePanel(): Promise<void> {
    const close = this.page.getByRole('button', { name: 'Close', exact: true });
    if (await close.isVisible()) await close.click();
  }

  /** Sets a number, in view or among the advanced settings. */
  async set(setting: string, value: string): Promise<void> {
    const field = this.page.getByLabel(setting, { exact: true });
    const inView = await field.isVisible();
    if (!inView) await this.open('Advanced');
    await field.fill(value);
    if (!inView) await this.closePanel();
  }

  /** Fails unless a setting has this value. */
  async expectSetting(setting: string, value: string): Promise<void> {
    const field = this.page.getByLabel(setting, { exact: true });
    const inView = await field.isVisible();
    if (!inView) await this.open('Advanced');
    await expect(field).toHaveValue(value);
    if (!inView) await this.closePanel();
  }

  /**
   * Selects the model with the fewest kernels, for tests that work with any model: a software GPU takes seconds to
   * compile LeNet-5.
   */
  async chooseSmallModel(): Promise<void> {
    await this.page.getByRole('combobox', { name: 'Model' }).selectOption({ label: 'Softmax regression' });
  }

  /** The data set's choice stays open. */
  async choose(dataset: string): Promise<void> {
    await this.open('Data');
    await this.page.getByRole('radio', { name: new RegExp(`^${dataset}`) }).check();
  }

  /** Waits until the run is at `step` or further: by default as long as for any other action. */
  async reaches(step: number, timeout = test.info().project.use.actionTimeout): Promise<void> {
    // The page itself looks: to ask it from here every time takes a tenth of a core from what trains.
    const reached = (wanted: number) => {
      const label = [...document.querySelectorAll('label')].find(({ textContent }) => textContent === 'Step');
      return Number(label?.control?.textContent?.replaceAll(',', '')) >= wanted;
    };
    await this.page.waitForFunction(reached, step, { timeout, polling: 50 }).catch(() => undefined);
    const status = await this.value('Status').textContent();
    expect(await this.read('Step'), `step of a run that is: ${status}`).toBeGreaterThanOrEqual(step);
  }

  /** Sets how fast a run trains. The losses are the same at any pace; up to 100 steps a second, their table shows all. */
  async pace(pace: keyof typeof PACES): Promise<void> {
    await this.page.getByRole('slider', { name: 'Pace' }).fill(PACES[pace]);
  }

  /** Opens the table over the loss curve: the first and the last ten steps. */
  async openLosses(): Promise<void> {
    await this.page.getByRole('button', { name: 'Loss in numbers' }).click();
    await expect(this.losses()).toBeVisible();
  }

  /** [step, loss] as shown, of the table's current rows. */
  async shownLosses(): Promise<[step: number, loss: string][]> {
    return this.losses()
      .getByRole('row')
      .evaluateAll((rows) =>
        rows.flatMap((row): [number, string][] => {
          const step = row.querySelector('th[scope="row"]')?.textContent;
          const loss = row.querySelector('td')?.textContent;
          return step && loss ? [[Number(step), loss]] : [];
        }),
      );
  }

  draw = (points: readonly (readonly [number, number])[]): Promise<void> =>
    drawOn(this.page, this.page.getByRole('img', { name: /^Drawing pad/ }), points);

  /** Of the visible pad; another screen may have one too. */
  answer = (): Locator => this.page.getByLabel('Prediction', { exact: true }).filter({ visible: true });

  /** The button that names the device. Behind it are the engines, and advice. */
  device = (name: string | RegExp): Locator =>
    this.page.getByRole('button', {
      name: new RegExp(`^Device: ${name instanceof RegExp ? name.source : name}`),
    });

  /** Opens the choice of the engine. */
  async engine(name: 'GPU' | 'CPU'): Promise<Locator> {
    const choice = this.page.getByRole('radio', { name, exact: true });
    if (!(await choice.isVisible())) await this.device('').click();
    return choice;
  }

  /** The page's worker, without its threads. */
  worker(): Worker {
    const worker = this.page.workers().findLast((one) => /\/main-[^/]*\.js$/.test(one.url()));
    if (!worker) throw new Error('the page has no worker');
    return worker;
  }

  /** Opens the page's own settings. */
  openMenu = (): Promise<void> => this.page.getByRole('button', { name: 'Menu', exact: true }).click();

  private losses = (): Locator => this.page.getByRole('table', { name: /^Loss at the first/ });
}
