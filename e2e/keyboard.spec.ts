import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';

// At full speed, training would take both cores from the first step to the end.
test.use({ viewport: { width: 1366, height: 768 }, pace: 10 });

test('the keyboard alone draws a sample, trains, changes the rate, and opens what is closed', async ({
  page,
}) => {
  const run = await RunPage.open(page);
  const focused = page.locator(':focus');
  const tabTo = async (name: RegExp) => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab');
      const text = await focused.evaluate((one: HTMLInputElement) =>
        [one.getAttribute('aria-label'), one.labels?.[0]?.textContent, one.textContent].join(' '),
      );
      if (name.test(text)) return;
    }
    throw new Error(`no Tab leads to ${name}`);
  };
  // Past the links, with one key.
  await page.keyboard.press('Tab');
  await expect(focused).toHaveText('Skip to content');
  await tabTo(/Train$/);
  await page.keyboard.press('Enter');
  await tabTo(/Train$/);
  await page.keyboard.press('Enter');
  await run.reaches(1);
  await tabTo(/^Data|Data:/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('radio', { name: /^Synthetic digits/ })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('radio', { name: /^Synthetic digits/ })).toBeHidden();
  await tabTo(/Learning rate, logarithmic/);
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('region', { name: 'Changes during this run' })).toContainText('→ 0.0011');
  await tabTo(/^ *Advanced/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Advanced settings' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('momentum');
  await expect(page.getByText('No matching settings.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /^Advanced/ })).toBeFocused();
  await tabTo(/Next sample/);
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Test image \d/)).toBeVisible();
  await page.getByRole('button', { name: 'Skip to content' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});
