import { expect, test } from './fixtures.ts';
import { showScreen } from './screens.ts';

// All of them, half on a software GPU, take minutes: exhaustive/frameworks.spec.ts.
test('the frameworks race on the CPU: libraries give the same answers at all levels, and are fetched when it starts', async ({
  page,
}) => {
  const fetched: string[] = [];
  page.on('request', (request) => void (/\/peers\//.test(request.url()) && fetched.push(request.url())));
  await page.addInitScript(() => localStorage.setItem('wgrad.engine', 'cpu'));
  await page.goto('./');
  await showScreen(page, 'Studies');
  await page.getByRole('link', { name: /One LeNet/ }).click();
  await page.getByText('Read and compare').click();
  await page.getByLabel('Source of').selectOption('jax-js, functions');
  await expect(page.getByRole('region', { name: 'jax-js, functions: source' })).toContainText(
    "from '@jax-js/jax'",
  );
  expect(fetched).toEqual([]);

  await page.getByText('Short', { exact: true }).click();
  await page.getByRole('button', { name: 'Run here' }).click();
  await expect(page.getByText(/Short run in /)).toBeVisible();
  const contenders = page.getByRole('table', { name: 'The contenders' });
  await page.getByText(/^\d+ more rows$/).click();
  await expect(contenders.getByRole('rowheader')).toHaveCount(21);
  await expect(contenders.getByRole('cell', { name: /^correct/ })).toHaveCount(10);
  expect(fetched.length).toBeGreaterThan(0);
});
