import { readFile } from 'node:fs/promises';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { showScreen } from './screens.ts';

test('the frameworks race: all libraries on all backends give the same answers, and are fetched when it starts', async ({
  page,
}) => {
  const fetched: string[] = [];
  page.on('request', (request) => void (/\/peers\//.test(request.url()) && fetched.push(request.url())));
  await page.goto('./');
  await showScreen(page, 'Studies');
  await page.getByRole('link', { name: /One LeNet/ }).click();
  await page.getByText('Read and compare').click();
  await page.getByLabel('Source of').selectOption('jax-js');
  await expect(page.getByRole('region', { name: 'jax-js: source' })).toContainText("from '@jax-js/jax'");
  expect(fetched).toEqual([]);

  await page.getByText('Short', { exact: true }).click();
  await page.getByRole('button', { name: 'Run here' }).click();
  await expect(page.getByText(/Short run in /)).toBeVisible();
  const contenders = page.getByRole('table', { name: 'The contenders' });
  await expect(contenders.getByRole('row')).toHaveCount(11);
  await expect(contenders.getByRole('cell', { name: /^correct/ })).toHaveCount(10);

  const button = page.getByRole('button', { name: 'JSON', exact: true });
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  const { lines } = JSON.parse(await readFile(await file.path(), 'utf8')) as {
    lines: { figure: string; bar?: string; time?: object; cells?: Record<string, number> }[];
  };
  const rows = lines.flatMap(({ figure, cells }) => (figure === 'contenders' && cells ? [cells] : []));
  for (const { difference, download, lines: code } of rows) {
    expect(difference).toBeLessThanOrEqual(1e-4);
    expect(download).toBeGreaterThan(50_000);
    expect(code).toBeGreaterThan(10);
  }
  const trained = lines.filter(({ figure, time }) => figure === 'training' && time).map(({ bar }) => bar);
  expect(trained).toEqual([
    'wgrad',
    'TensorFlow.js, WebGPU',
    'TensorFlow.js, WebGL',
    'jax-js, WebGPU',
    'wgrad',
    'TensorFlow.js, JavaScript',
    'jax-js, WASM',
  ]);
  await expectAccessible(page);
});
