import { readFile } from 'node:fs/promises';
import { expect, test } from '../fixtures.ts';
import { showScreen } from '../screens.ts';

test('the frameworks race: all libraries, at all levels and on all backends, give the same answers', async ({
  page,
}) => {
  await page.goto('./');
  await showScreen(page, 'Studies');
  await page.getByRole('link', { name: /One LeNet/ }).click();
  await page.getByText('Short', { exact: true }).click();
  await page.getByRole('button', { name: 'Run here' }).click();
  // More than twenty contenders, half of them on a software GPU.
  await expect(page.getByText(/Short run in /)).toBeVisible({ timeout: 900_000 });
  const contenders = page.getByRole('table', { name: 'The contenders' });
  await page.getByText(/^\d+ more rows$/).click();
  await expect(contenders.getByRole('rowheader')).toHaveCount(21);
  await expect(contenders.getByRole('cell', { name: /^correct/ })).toHaveCount(21);

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
  const timed = (name: string) => lines.filter(({ figure, time }) => figure === name && time);
  expect(timed('training').map(({ bar }) => bar)).toEqual([
    'wgrad',
    'TensorFlow.js, WebGPU',
    'TensorFlow.js, WebGL',
    'jax-js, WebGPU',
    'wgrad',
    'TensorFlow.js, JavaScript',
    'jax-js, WASM',
  ]);
  // Two levels predict on four backends, three train on three.
  expect(timed('levels-tfjs')).toHaveLength(17);
  expect(timed('levels-wgrad')).toHaveLength(12);
  const accuracies = rows.flatMap(({ accuracy }) => accuracy ?? []);
  expect(accuracies).toHaveLength(17);
  expect(Math.max(...accuracies) - Math.min(...accuracies)).toBeLessThanOrEqual(0.05);
});
