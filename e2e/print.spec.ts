import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';

test('a run is printed on one page, in light colours: its name, settings, curves, matrix and mistakes', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await RunPage.finished(page);
  // Paper asks for nothing more: it has what the page shows.
  await expect(
    page.getByRole('region', { name: 'Most confident mistakes' }).getByRole('listitem').first(),
  ).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });

  const sheet = page.locator('[data-print]');
  await expect(sheet.getByRole('heading', { name: 'Softmax regression on Synthetic digits' })).toBeVisible();
  await expect(
    sheet.getByText(/^[\d.]+ % right in the last test \(after epoch \d+; [\d,]+ images/),
  ).toBeVisible();
  await expect(
    sheet.getByRole('region', { name: 'Settings' }).getByText('Learning rate', { exact: true }),
  ).toBeVisible();
  await expect(sheet.getByRole('img', { name: /^(Loss|Accuracy) by step/ })).toHaveCount(2);
  await expect(sheet.getByRole('table')).toBeVisible();
  await expect(
    sheet.getByRole('region', { name: 'Most confident mistakes' }).getByRole('listitem').first(),
  ).toBeVisible();
  for (const role of ['button', 'slider', 'combobox', 'radio', 'navigation'] as const)
    await expect(page.getByRole(role).filter({ visible: true }), role).toHaveCount(0);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe('rgb(28, 30, 34)');

  for (const format of ['A4', 'Letter']) {
    const pdf = (await page.pdf({ format })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g), format).toHaveLength(1);
  }
  await page.emulateMedia({ media: null, colorScheme: 'dark' });
  await expect(sheet).toHaveCount(0);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});
