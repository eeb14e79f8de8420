import { readFile } from 'node:fs/promises';
import { expect, type Download, type Locator, type Page } from '@playwright/test';

export type View = 'Race' | 'Presets' | 'Winner map' | 'Ladder' | 'Autotune';

/** A software GPU compiles a kernel in a third of a second, and a race has up to a dozen. */
export const MEASURED = { timeout: 120_000 };

/** What a person does with the Lab and reads from it. */
export class LabPage {
  constructor(readonly page: Page) {}

  /** @param address behind `#/lab/` */
  static async open(page: Page, address = 'race'): Promise<LabPage> {
    await page.goto(`./#/lab/${address}`);
    await expect(page.getByRole('heading', { name: 'Algorithm Lab' })).toBeVisible();
    await expect(page.getByText('SwiftShader', { exact: false }).first()).toBeVisible();
    return new LabPage(page);
  }

  async show(view: View): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Parts of the Lab' }).getByText(view).click();
  }

  button = (name: string | RegExp): Locator => this.page.getByRole('button', { name, exact: true });

  press = (name: string | RegExp): Promise<void> => this.button(name).click();

  /** Presses Race and waits for the verdict. */
  async race(): Promise<void> {
    await this.press('Race');
    await expect(this.verdict()).toBeVisible(MEASURED);
  }

  verdict = (): Locator => this.page.getByText(/ wins: | takes |^A tie: /).first();

  /** The rows of a table of bars, one an algorithm, by what they say. */
  lane = (algorithm: string): Locator =>
    this.page
      .getByRole('row')
      .filter({ has: this.page.getByRole('button', { name: algorithm, exact: true }) });

  /** What a press of a download button hands over. */
  async download(name: 'JSON' | 'CSV' | 'Export what was found'): Promise<{ file: Download; text: string }> {
    const [file] = await Promise.all([this.page.waitForEvent('download'), this.press(name)]);
    return { file, text: await readFile(await file.path(), 'utf8') };
  }
}
