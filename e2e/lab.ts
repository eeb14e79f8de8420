import { readFile } from 'node:fs/promises';
import { expect, type Download, type Locator, type Page } from '@playwright/test';

export type View = 'Race' | 'Presets' | 'Winner map' | 'Ladder' | 'Autotune' | 'Write a kernel';

interface Adapter {
  description: string;
  software: boolean;
}

/** A user's actions and readings in the Lab. */
export class LabPage {
  constructor(readonly page: Page) {}

  /** @param address after `#/lab/` */
  static async open(page: Page, address = 'race'): Promise<LabPage> {
    await page.goto(`./#/lab/${address}`);
    await expect(page.getByRole('heading', { name: 'Algorithm Lab' })).toBeVisible();
    const lab = new LabPage(page);
    await expect.poll(() => lab.adapter()).toBeDefined();
    return lab;
  }

  /** The adapter that the page measures on; undefined until it is known. */
  adapter = (): Promise<Adapter | undefined> => this.page.evaluate('wgrad.adapter()');

  async show(view: View): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Lab views' }).getByText(view).click();
  }

  button = (name: string | RegExp): Locator => this.page.getByRole('button', { name, exact: true });

  press = (name: string | RegExp): Promise<void> => this.button(name).click();

  /** Starts the race and waits for the verdict. */
  async race(): Promise<void> {
    await this.press('Race');
    await expect(this.verdict()).toBeVisible();
  }

  verdict = (): Locator =>
    this.page.getByText(/Fastest: | takes .* No other algorithm|Tie: |Too noisy to tell: /).first();

  /** The row of an algorithm in a table of bars. */
  lane = (algorithm: string): Locator =>
    this.page
      .getByRole('row')
      .filter({ has: this.page.getByRole('button', { name: algorithm, exact: true }) });

  /** The file of a download button. */
  async download(name: 'JSON' | 'CSV' | 'Export results'): Promise<{ file: Download; text: string }> {
    const [file] = await Promise.all([this.page.waitForEvent('download'), this.press(name)]);
    return { file, text: await readFile(await file.path(), 'utf8') };
  }
}
