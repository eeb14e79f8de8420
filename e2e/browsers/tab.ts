/** A user's actions and readings in a tab of any browser. */
import { expect, type Page } from '@playwright/test';
import { RunPage, type Control, type ShownValue } from '../run.ts';

export type TabPoint = readonly [x: number, y: number];

export interface Tab {
  /** @param address after the page's: "#/lab" */
  open(address?: string): Promise<void>;
  reload(): Promise<void>;
  value(name: ShownValue): Promise<string>;
  set(setting: string, value: string): Promise<void>;
  press(button: Control): Promise<void>;
  /** Presses the button whose name starts with this, once it exists. */
  pressFirst(start: string): Promise<void>;
  /** Draws one stroke on the pad through points from (0, 0), its top left, to (1, 1). */
  draw(points: readonly TabPoint[]): Promise<void>;
  /** The text of the pad's prediction. */
  answer(): Promise<string>;
  /** The value of an expression in the page, of JSON or a promise of it. */
  evaluate<T>(expression: string): Promise<T>;
}

/** A tab of a browser that Playwright drives. */
export class PlaywrightTab implements Tab {
  private readonly run: RunPage;

  constructor(readonly page: Page) {
    this.run = new RunPage(page);
  }

  async open(address = ''): Promise<void> {
    await this.page.goto(`./${address}`);
  }

  async reload(): Promise<void> {
    await this.page.reload();
  }

  value = async (name: ShownValue): Promise<string> => (await this.run.value(name).textContent()) ?? '';

  /** By keys: in Firefox, React does not notice what Playwright's `fill` puts in. */
  async set(setting: string, value: string): Promise<void> {
    await this.page.getByLabel(setting, { exact: true }).click();
    await this.page.keyboard.press('ControlOrMeta+A');
    await this.page.keyboard.type(value);
  }

  press = (button: Control): Promise<void> => this.run.press(button);
  pressFirst = (start: string): Promise<void> =>
    this.page
      .getByRole('button', { name: new RegExp(`^${start}`) })
      .first()
      .click();
  draw = (points: readonly TabPoint[]): Promise<void> => this.run.draw(points);
  answer = async (): Promise<string> => (await this.run.answer().textContent()) ?? '';
  evaluate = <T>(expression: string): Promise<T> => this.page.evaluate(expression) as Promise<T>;
}

/** A value of the run as a number; NaN for the dash of what was not measured yet. */
export const read = async (tab: Tab, name: ShownValue): Promise<number> =>
  Number.parseFloat((await tab.value(name)).replaceAll(',', ''));

/** Waits until the run's status is this. */
export const expectStatus = (tab: Tab, status: string | RegExp): Promise<void> =>
  expect.poll(() => tab.value('Status'), { message: 'Status' }).toMatch(status);
