import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';

test('a user watches single steps, augments images during a run, and inspects a mistake', async ({
  page,
}) => {
  const run = await RunPage.open(page);
  await run.set('Batch size', '32');

  const charts = page.getByRole('figure').filter({ has: page.getByRole('heading', { level: 3 }) });
  const places = () =>
    charts.evaluateAll((all) => all.map((one) => JSON.stringify(one.getBoundingClientRect())));
  await expect(charts).toHaveCount(2);
  const before = await places();

  // One batch at a time, with explanations, until the user ends it.
  await run.pace('slow motion');
  await run.press('Train');
  const words = page.getByRole('list', { name: 'Phases of a training step' });
  await expect(words.getByRole('listitem').first()).toContainText(/Forward: step \d+ ran 32 images/);
  // The words take no room from the charts.
  expect(await places()).toEqual(before);
  await run.press('Pause');
  await expect(words).toBeHidden();
  await expect(run.value('Status')).toHaveText('Paused');

  await run.pace(20);
  await run.press('Resume');
  await run.reaches((await run.read('Step')) + 5);
  await run.set('Random crop', '2');
  await expect(page.getByRole('region', { name: 'Changes during this run' })).toContainText(
    /Step \d+: augmentation none → crop=2/,
  );
  await page.getByRole('button', { name: 'Test now' }).click();

  // Pad and picture show one prediction, of one step and one class, at any pace.
  const caption = page.getByText(/^Your network after [\d,]+ steps?/);
  await expect(caption).toBeVisible();
  for (const pace of [40, 'full'] as const) {
    await run.pace(pace);
    const frames = await page.evaluate(sampledFrames);
    expect(new Set(frames.map(([step]) => step)).size, `frames at ${pace}`).toBeGreaterThan(1);
    for (const [step, noted, drawn, predicted] of frames) {
      expect(noted).toBe(step);
      expect(drawn).toBe(predicted);
    }
  }
  await run.pace(20);

  // The filters come with the first test, and follow the training.
  const filters = page.getByRole('region', { name: 'First-layer filters' });
  await filters.scrollIntoViewIfNeeded();
  const after = async () => Number(/after (\d+) step/.exec(await filters.innerText())?.[1]);
  await expect.poll(after).toBeGreaterThan(0);
  const seen = await after();
  await expect.poll(after).toBeGreaterThan(seen);
  await expect(page.getByRole('img', { name: '6 filters, 1 channel of 5 × 5 each' })).toBeVisible();

  const worst = page.getByRole('region', { name: 'Most confident mistakes' });
  await worst.scrollIntoViewIfNeeded();
  const first = worst.getByRole('listitem').getByRole('button').first();
  await expect(first).toHaveAccessibleName(/^\d predicted as \d with >?[\d.]+ % confidence/);
  await run.press('Pause');
  await expect(run.value('Status')).toHaveText('Paused');
  await first.click();
  await expect(page).toHaveURL(/#\/inspect\/image/);
  await expect(page.getByText(/^Test image [\d,]+: \d$/).filter({ visible: true })).toBeVisible();
});

/** Of up to twenty frames of one's own network: the step of the picture and of the pad's note, the class in the picture and on the pad. */
const sampledFrames = (): Promise<(string | undefined)[][]> =>
  new Promise((done) => {
    const frames: (string | undefined)[][] = [];
    let looks = 0;
    const network = document.querySelector('[data-tour="network"]');
    const control = (name: string) =>
      [...document.querySelectorAll('label')].find(({ textContent }) => textContent === name)?.control
        ?.textContent ?? undefined;
    const look = () => {
      const after = (text: string | null | undefined) => /after ([\d,]+) step/.exec(text ?? '')?.[1];
      const step = after(network?.lastElementChild?.textContent);
      const note = /Prediction after [\d,]+ step/.exec(document.body.textContent)?.[0];
      const drawn =
        network?.querySelector('canvas')?.ariaLabel ??
        network?.querySelector('canvas')?.getAttribute('aria-label');
      if (step !== undefined && step !== frames.at(-1)?.[0])
        frames.push([step, after(note), /reads (.+), /.exec(drawn ?? '')?.[1], control('Prediction')]);
      if (frames.length === 20 || ++looks === 600) done(frames);
      else requestAnimationFrame(look);
    };
    look();
  });
