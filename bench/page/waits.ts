/** From what a person does until the page responds, by the page's own clock, to a frame. */
import type { Page } from '@playwright/test';
import { add, type Box, type Samples } from './samples.ts';

const value = (page: Page, label: string) =>
  page.getByLabel(label, { exact: true }).filter({ visible: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const is = (page: Page, label: string, text: string) =>
  value(page, label)
    .filter({ hasText: new RegExp(`^${text}$`) })
    .waitFor();

/** One visit, in which a person draws, trains, pauses, and loses the worker. @param address of the page */
export async function measureWaits(page: Page, address: string, samples: Samples): Promise<void> {
  const record = (what: string, ...values: number[]) => add(samples, what, 'ms', ...values);

  await page.addInitScript(() => {
    const look = () => {
      const label = [...document.querySelectorAll('label')].find((one) => one.textContent === 'Prediction');
      if (/^\d$/.test(label?.control?.textContent ?? ''))
        Object.assign(globalThis, { answeredAt: performance.now() });
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  const answered = () =>
    page
      .waitForFunction(() => (globalThis as { answeredAt?: number }).answeredAt)
      .then(async (at) => (await at.jsonValue()) ?? NaN);
  // The browser's own start is not the page's.
  await page.goto('data:text/html,wgrad');
  await page.goto(address);
  record('from opening the page, nothing cached, to the pad’s answer', await answered());
  await page.reload();
  record('from opening it again to the pad’s answer', await answered());
  await is(page, 'Status', 'Ready');

  await button(page, 'Clear').first().click();
  await is(page, 'Prediction', '–');
  record(
    'from a drawn stroke to its answer',
    await until(page, 'pointerup', 'Prediction', '^\\d$', () => stroke(page)),
  );

  const train = button(page, 'Train');
  record('from Train to the first step', await until(page, 'click', 'Step', '^[1-9]', () => train.click()));
  await page.waitForTimeout(2000);

  record('from an input to the end of its handlers, while it trains', ...(await inputs(page)));
  await button(page, 'Clear').first().click();
  record(
    'from a drawn stroke to its answer, while it trains',
    await until(page, 'pointerup', 'Prediction', '^\\d$', () => stroke(page)),
  );
  const pause = button(page, 'Pause');
  record('from Pause until it paused', await until(page, 'click', 'Status', '^Paused$', () => pause.click()));
  await button(page, 'Stop').click();

  for (const [what, title, end] of [
    ['a worker that hangs', 'The training worker does not respond', 'setTimeout(() => { for (;;); })'],
    ['a worker that ends', 'The training worker crashed', 'self.close()'],
  ]) {
    const shown = page.evaluate(
      (text) =>
        new Promise<number>((done) => {
          const start = performance.now();
          const look = () =>
            document.body.textContent.includes(text)
              ? done(performance.now() - start)
              : requestAnimationFrame(look);
          look();
        }),
      title,
    );
    const worker = page.workers().findLast((one) => /\/main-[^/]*\.js$/.test(one.url()));
    // Its answer is lost with it.
    void worker?.evaluate(end).catch(() => undefined);
    record(`from ${what} until the page says so`, await shown);
    await button(page, 'Restart worker').filter({ visible: true }).first().click();
    await is(page, 'Status', 'Ready');
  }
}

/** Milliseconds from the next event of this type, as the browser received it, until a value of the page is shown. */
async function until(
  page: Page,
  type: string,
  label: string,
  pattern: string,
  act: () => Promise<unknown>,
): Promise<number> {
  const begun = await page.evaluateHandle(
    ([event, name, wanted]) => ({
      shown: new Promise<number>((done) => {
        const from = ({ timeStamp }: Event) => {
          const look = () => {
            const labels = [...document.querySelectorAll('label')].filter(
              ({ textContent }) => textContent === name,
            );
            const shown = labels.some(({ control }) => new RegExp(wanted).test(control?.textContent ?? ''));
            if (shown) done(performance.now() - timeStamp);
            else requestAnimationFrame(look);
          };
          look();
        };
        addEventListener(event, from, { capture: true, once: true });
      }),
    }),
    [type, label, pattern],
  );
  await act();
  return begun.evaluate(({ shown }) => shown);
}

async function stroke(page: Page): Promise<void> {
  const pad = page.getByRole('img', { name: /^Drawing pad/ }).first();
  await pad.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await pad.boundingBox()) as Box;
  await page.mouse.move(x + width / 2, y + height / 5);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + (4 * height) / 5, { steps: 5 });
  await page.mouse.up();
}

/** Milliseconds that each of a few inputs waited and was handled. The browser reports those of 16 ms and more; the others count as 16. */
async function inputs(page: Page): Promise<number[]> {
  await page.evaluate(() => {
    const seen: { count: number; slow: number[] } = { count: 0, slow: [] };
    Object.assign(globalThis, { seenInputs: seen });
    for (const type of ['click', 'keydown', 'pointerup'])
      addEventListener(type, () => seen.count++, { capture: true });
    new PerformanceObserver((list) => {
      for (const { name, startTime, processingEnd } of list.getEntries() as PerformanceEventTiming[])
        if (['click', 'keydown', 'pointerup'].includes(name)) seen.slow.push(processingEnd - startTime);
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
  await button(page, 'Menu').click();
  for (const name of ['Dark', 'Light', 'Dark', 'Light']) await page.getByRole('radio', { name }).click();
  await page.keyboard.press('Escape');
  await stroke(page);
  await page.waitForTimeout(500);
  const { count, slow } = await page.evaluate(
    () => (globalThis as unknown as { seenInputs: { count: number; slow: number[] } }).seenInputs,
  );
  return [...slow, ...Array<number>(Math.max(0, count - slow.length)).fill(16)];
}
