import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { RunPage, ZERO } from './run.ts';

/** A letter A in one stroke. */
const LETTER = [
  [0.25, 0.8],
  [0.5, 0.2],
  [0.75, 0.8],
  [0.66, 0.58],
  [0.34, 0.58],
] as const;

// At full speed, training would take both cores from the first step to the end.
test.use({ pace: 40 });

const card = (page: Page): Locator => page.getByRole('region', { name: 'Tour' });
const first = (page: Page): Locator => page.getByRole('region', { name: 'What this is' });
const marked = (page: Page): Locator => page.locator('[data-toured]');

/** Waits for a stop by a text of it, and looks at the page there. */
async function reaches(page: Page, place: string, title: string, text: RegExp): Promise<void> {
  await expect(card(page).getByRole('heading', { name: title })).toBeVisible();
  await expect(card(page)).toContainText(place);
  await expect(card(page)).toContainText(text);
  const { width, height } = page.viewportSize()!;
  const box = (await card(page).boundingBox())!;
  expect(box.x, 'left').toBeGreaterThanOrEqual(0);
  expect(box.y, 'top').toBeGreaterThanOrEqual(0);
  expect(box.x + box.width, 'right').toBeLessThanOrEqual(width);
  expect(box.y + box.height, 'bottom').toBeLessThanOrEqual(height);
}

/** Fails unless what is marked is in the window and the card leaves its middle free. */
async function expectInView(page: Page): Promise<void> {
  await expect(marked(page)).toBeInViewport({ ratio: 0.5 });
  // Where things are is looked at again a few times a second, and parts of the page may still arrive.
  const isCovered = async () => {
    const [mark, over] = [await marked(page).boundingBox(), await card(page).boundingBox()];
    if (!mark || !over) return true;
    const [x, y] = [mark.x + mark.width / 2, mark.y + mark.height / 2];
    return x > over.x && x < over.x + over.width && y > over.y && y < over.y + over.height;
  };
  await expect.poll(isCovered, 'whether the card covers what it speaks of').toBe(false);
}

const STOPS = [
  ['1 of 5', 'Draw a digit', /Any from 0 to 9/],
  ['2 of 5', 'Now fool it', /Draw a letter/],
  ['3 of 5', 'Train your own', /Select Train/],
  ['4 of 5', 'Watch the loss', /2\.3 is pure guessing among ten digits, 0 is perfect/],
  ['5 of 5', 'Look at a mistake', /tested on digits that it never trains on/],
  ['Tour', 'That was it', /Help explains the words/],
] as const;

for (const [where, width, height] of [
  ['a laptop', 1366, 768],
  ['a phone', 390, 844],
] as const)
  test(`on ${where}, the tour waits at each of its stops for what a person does there`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    const run = await RunPage.open(page);
    await first(page).getByRole('link', { name: 'Show me in a minute' }).click();
    await test.step('a digit', async () => {
      await reaches(page, ...STOPS[0]);
      await expectInView(page);
      await run.draw(ZERO);
      await expect(card(page)).toContainText(/It says 0, and is >?[\d.]+ % sure\./);
    });
    await test.step('a letter', async () => {
      await reaches(page, ...STOPS[1]);
      await expectInView(page);
      await run.draw(LETTER);
      await expect(card(page)).toContainText(
        /It says \d, and is >?[\d.]+ % sure\. This network has no way to say/,
      );
    });
    await test.step('Train', async () => {
      await reaches(page, ...STOPS[2]);
      await expectInView(page);
      await run.press('Train');
    });
    await test.step('the loss', async () => {
      await reaches(page, ...STOPS[3]);
      await expectInView(page);
    });
    await test.step('a mistake', async () => {
      await reaches(page, ...STOPS[4]);
      await expect(marked(page)).toHaveCount(1);
      await expectInView(page);
      await marked(page).getByRole('button').first().click();
    });
    await reaches(page, ...STOPS[5]);
    await expect(page).toHaveURL(/#\/inspect\/image/);
    await card(page).getByRole('button', { name: 'Finish' }).click();
    await expect(card(page)).toBeHidden();
    await expect(marked(page)).toHaveCount(0);
  });

test.describe('by keyboard alone', () => {
  test.use({ viewport: { width: 1366, height: 768 } });

  test('the tour is walked, skipped and ended; its address opens it again', async ({ page }) => {
    await page.goto('./#/train?tour=digits');
    const run = new RunPage(page);
    await run.ready();
    await expect(card(page)).toBeFocused();
    await expect(page).toHaveURL(/#\/train$/);
    const press = async (name: string) => {
      const wanted = card(page).getByRole('button', { name });
      for (let i = 0; i < 10 && !(await wanted.evaluate((one) => one === document.activeElement)); i++)
        await page.keyboard.press('Tab');
      await expect(wanted).toBeFocused();
      await page.keyboard.press('Enter');
    };
    const at = (stop: number) =>
      expect(card(page).getByRole('heading', { name: STOPS[stop][1] })).toBeVisible();
    const backToCard = () => card(page).focus();
    await at(0);
    await press('Draw one for me');
    await expect(card(page)).toContainText('It says 7');
    await at(1);
    await backToCard();
    await press('Draw an A for me');
    await expect(card(page)).toContainText(/It says \d/);
    await at(2);
    await backToCard();
    await press('Take me to the button');
    await expect(run.control('Train')).toBeFocused();
    await page.keyboard.press('Enter');
    await at(3);
    await backToCard();
    await press('Skip');
    await at(4);
    await expect(marked(page)).toHaveCount(1);
    await backToCard();
    await press('Take me to them');
    await page.keyboard.press('Enter');
    await at(5);
    await page.keyboard.press('Escape');
    await expect(card(page)).toBeHidden();
  });
});

for (const [where, width, height] of [
  ['a laptop', 1366, 768],
  ['a phone', 390, 844],
] as const)
  test(`on ${where}, the first sentence goes when it is dismissed, and nothing moves`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await RunPage.open(page);
    await expect(first(page)).toContainText('This neural network reads handwritten digits.');
    const places = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('main section, main figure, main canvas')]
          .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('figcaption'))
          .map((one) => [
            one.getAttribute('aria-label') ?? one.className,
            one.getBoundingClientRect().toJSON(),
          ])
          .filter(([name]) => name !== 'What this is' && !String(name).includes('spark')),
      );
    const before = await places();
    await first(page).getByRole('button', { name: 'Dismiss' }).click();
    await expect(first(page)).toBeHidden();
    expect((await places()).filter(([name]) => before.some(([other]) => other === name))).toEqual(before);
    await page.reload();
    await expect(page.getByRole('img', { name: /^Drawing pad/ })).toBeVisible();
    await expect(first(page)).toBeHidden();
  });

test('other images than digits are changed first; a tour that is not there says so', async ({ page }) => {
  const run = await RunPage.open(page);
  await run.choose('Synthetic shapes');
  await run.closePanel();
  await page.goto('./#/train?tour=digits');
  await expect(card(page).getByRole('heading', { name: 'First, digits' })).toBeVisible();
  await card(page).getByRole('button', { name: 'Choose the digits' }).click();
  await expect(card(page).getByRole('heading', { name: 'Draw a digit' })).toBeVisible();
  await page.goto('./#/train?tour=nonsense');
  await expect(card(page)).toContainText('There is no tour “nonsense”.');
  await card(page).getByRole('button', { name: 'Finish' }).click();
  await expect(card(page)).toBeHidden();
});

test('the mark in the bar and a key lead to Help; each word has an address', async ({ page }) => {
  await RunPage.open(page);
  await page.getByRole('link', { name: 'Help', exact: true }).click();
  const help = page.getByRole('heading', { level: 2, name: 'Help' });
  await expect(help).toBeVisible();
  await page.goBack();
  await expect(help).toBeHidden();
  await page.keyboard.press('?');
  await expect(help).toBeVisible();
  await page.goto('./#/help/momentum');
  const momentum = page.locator('[data-current]');
  await expect(momentum).toContainText('as a rolling ball keeps its direction');
  await expect(momentum).toBeInViewport();
  await page.getByRole('link', { name: 'Show me in a minute' }).click();
  await expect(card(page)).toBeVisible();
});
