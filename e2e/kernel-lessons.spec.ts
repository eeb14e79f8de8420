import { readFile } from 'node:fs/promises';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { LabPage } from './lab.ts';
import { RunPage } from './run.ts';
import { showScreen } from './screens.ts';

const wgsl = (name: string) => readFile(`src/kernel-lessons/lessons/product/${name}.wgsl`, 'utf8');

test('a lesson as a pupil does it: wrong first, then a hint, then the solution; a run trains on meanwhile', async ({
  page,
  complaints,
}) => {
  // Chromium styles what is inserted at once into text that can be edited; the policy refuses that, and nothing is lost.
  complaints.allow(/Applying inline style|^policy: style-src-attr refuses inline/);
  const run = await RunPage.open(page);
  await run.chooseSmallModel();
  await run.pace(5);
  await run.press('Train');
  await expect(run.value('Status')).toHaveText('Training');
  await expect.poll(() => run.read('Step')).toBeGreaterThan(1);
  const before = await run.read('Step');

  await showScreen(page, 'Lab');
  const lab = new LabPage(page);
  await lab.show('Write a kernel');
  const list = page.getByRole('navigation', { name: 'Lessons' });
  await expect(list.getByRole('link')).toHaveText([
    /Seven loops/,
    /A matrix product/,
    /Tiles in workgroup memory/,
    /im2col/,
    /Implicit GEMM/,
    /Winograd/,
  ]);
  await list.getByRole('link', { name: /A matrix product/ }).click();
  await expect(page).toHaveURL(/#\/lab\/kernels\?lesson=product$/);
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result).toHaveText('Not run yet.');
  const editor = page.getByRole('textbox', { name: 'Your kernel, in WGSL' });
  await expect(editor).toContainText('let column = id.x;');
  const write = async (text: string) => {
    await editor.press('ControlOrMeta+a');
    await page.keyboard.insertText(text);
  };
  const skeleton = await wgsl('skeleton');
  const solution = await wgsl('solution');

  await test.step('what it starts with is wrong: the first value is named', async () => {
    await lab.press('Run');
    await expect(result).toContainText('A value is wrong, on the CPU, one thread');
    await expect(result).toContainText(/At row 0, column 0, expected -?0\.\d+, found 0\./);
    await expect(result).toContainText('M 1, N 1, K 1');
    await expectAccessible(page);
  });

  await test.step('a mistake has its line and column', async () => {
    await write(skeleton.replace('= 0.0;', '= nothing;'));
    await lab.press('Run');
    await expect(result.getByRole('alert')).toContainText(/Line \d+, column \d+: .*nothing/);
    await expect(page.locator('.cm-lint-marker-error')).toBeVisible();
  });

  await test.step('a loop that does not end is ended', async () => {
    await write(skeleton.replace('c[row', 'while (row < M) {}\n  c[row'));
    await lab.press('Run');
    await expect(result.getByRole('alert')).toContainText(/Line \d+: a loop that does not end/);
  });

  await test.step('what takes too long is stopped', async () => {
    // Minutes of work, also for a fast processor, in loops that end.
    const value = `${'cos('.repeat(20)}c[0]${')'.repeat(20)}`;
    const long = `for (var i = 0u; i < 2000000u; i++) { c[0] = ${value}; }`;
    await write(skeleton.replace('c[row', `${long}\n  c[row`));
    await lab.press('Run');
    await lab.press('Stop');
    await expect(result).toHaveText('You stopped it.');
  });

  await test.step('hints come one by one, and the solution passes', async () => {
    await lab.press('Show hint 1 of 3');
    await lab.press('Show hint 2 of 3');
    await expect(page.getByRole('listitem').filter({ hasText: /Add up in a variable/ })).toBeVisible();
    await expect(page.getByText(/Row by row means/)).toBeHidden();
    await lab.press('Show a solution');
    await lab.press('Put it in the editor');
    await expect(result).toHaveText('You stopped it.');
    await lab.press('Run');
    await expect(result).toContainText('All tests passed');
    const row = result.getByRole('row').filter({ hasText: 'CPU, one thread' });
    await expect(row).toContainText(/\d (µs|ms).*FLOP\/s/);
    await expect(row).toContainText(/\d %/);
    await expect(result).toContainText('Not timed on a GPU.');
    await expectAccessible(page);
  });

  await test.step('the run has trained on', async () => {
    await showScreen(page, 'Train');
    await expect(run.value('Status')).toHaveText('Training');
    expect(await run.read('Step')).toBeGreaterThan(before);
    await run.press('Stop');
    await showScreen(page, 'Lab');
  });

  await test.step('the code is kept, and goes into a file and back, without running', async () => {
    const [file] = await Promise.all([page.waitForEvent('download'), lab.press('Save as file')]);
    expect(file.suggestedFilename()).toBe('wgrad-product.wgsl');
    expect(await readFile(await file.path(), 'utf8')).toBe(solution);
    await page.reload();
    await expect(editor).toContainText('var sum = 0.0;');
    await lab.press('Start over');
    await expect(editor).not.toContainText('var sum');
    await page.getByLabel('WGSL file').setInputFiles(await file.path());
    await expect(editor).toContainText('var sum = 0.0;');
    await expect(result).toHaveText('Not run yet.');
  });

  await test.step('on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(editor).toBeVisible();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
  });
});
