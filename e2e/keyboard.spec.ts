import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';

// At full speed, training would take both cores from the first step to the end.
test.use({ viewport: { width: 1366, height: 768 }, pace: 10 });

test('the keyboard alone draws a sample, trains, changes the rate, opens what is closed, pauses, and leads to other screens', async ({
  page,
}) => {
  const run = await RunPage.open(page);
  const focused = page.locator(':focus');
  const tabTo = async (name: RegExp, key = 'Tab') => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press(key);
      const text = await page.evaluate(() => {
        const one = document.activeElement as HTMLInputElement | null;
        // Beyond the last element.
        if (!one || one === document.body) return '';
        return [one.getAttribute('aria-label'), one.labels?.[0]?.textContent, one.textContent].join(' ');
      });
      if (name.test(text)) return;
    }
    throw new Error(`no ${key} leads to ${name}`);
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
  await tabTo(/^ *Pause/, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(run.value('Status')).toHaveText('Paused');
  await tabTo(/^ *Doctor/, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: 'Doctor' })).toBeVisible();
  await tabTo(/^ *Skip to content/, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});
