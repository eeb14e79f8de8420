/**
 * How long a step takes on the page at full speed, by the wall clock: with tests, checkpoints and all that the page shows; and
 * what the GPU does meanwhile.
 */
import type { Page } from '@playwright/test';
import { coverageOf } from './coverage.ts';
import { add, type Samples } from './samples.ts';

/** A run by its settings, as a link has them. */
type Run = readonly [name: string, link: string];

const ENDLESS = 'epochs=100000';
const SGD = `${ENDLESS}&batch=128&optimiser=sgd`;
const RUNS: readonly Run[] = [
  ['LeNet-5, digits, 64, Adam', ENDLESS],
  ['LeNet-5, digits, 512, SGD', `${ENDLESS}&batch=512&optimiser=sgd`],
  ['ResNet-20, shapes, 128, SGD', `${SGD}&model=resnet20&data=shapes`],
  ['ResNet-18, shapes, 128, SGD', `${SGD}&model=resnet18&data=shapes`],
  ['ResNet-18, shapes, 128, SGD, mixed precision', `${SGD}&model=resnet18&data=shapes&precision=mixed`],
];

/** The first seconds choose algorithms and compile what the first test needs. */
const SETTLE_MS = 4000;
const MEASURED_MS = 10_000;
const COVERED_MS = 8000;

/** One visit for each run. Mixed precision is left out where the browser does not have it. */
export const SPEED = RUNS.map(
  (run) => (page: Page, address: string, samples: Samples) => measure(page, address, samples, run),
);

async function measure(page: Page, address: string, samples: Samples, [name, link]: Run): Promise<void> {
  await page.goto(`${address}#/train?v=2&${link}`);
  if (link.includes('mixed') && !(await hasHalfPrecision(page))) return;
  // What a link says is set on a first visit, and can be undone. Then its images come.
  await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
  await page
    .getByLabel('Status', { exact: true })
    .filter({ hasText: /^Ready$/ })
    .waitFor();
  const { first, step } = await timesOf(page);
  add(samples, `${name}: from Train to the first step`, 'ms', first);
  add(samples, `${name}: a step, by the wall clock`, 'ms', step);
  const coverage = await coverageOf(page, COVERED_MS);
  for (const [what, share] of Object.entries(coverage ?? {}))
    add(samples, `${name}: of the time, the GPU computes ${what}`, '%', share);
}

/** Presses Train, and follows the steps that the page counts by the page's own clock. */
const timesOf = (page: Page): Promise<{ first: number; step: number }> =>
  page.evaluate(
    ([settle, measured]) =>
      new Promise((done, fail) => {
        const shown = (label: string) =>
          [...document.querySelectorAll('label')].find(({ textContent }) => textContent === label)?.control
            ?.textContent ?? '';
        const button = [...document.querySelectorAll('button')].find(
          ({ textContent }) => textContent === 'Train',
        );
        if (!button) throw new Error('The page has no button Train.');
        const pressed = performance.now();
        button.click();
        /** When the count changed, and to what. */
        let first: number | undefined;
        let from: { at: number; step: number } | undefined;
        let before = 0;
        const look = () => {
          const at = performance.now();
          const step = Number(shown('Step').replaceAll(/\D/g, ''));
          if (/Failed/.test(shown('Status'))) return fail(new Error('The run failed.'));
          if (step !== before) {
            before = step;
            first ??= at;
            if (at > first + settle) {
              from ??= { at, step };
              if (at > from.at + measured)
                return done({ first: first - pressed, step: (at - from.at) / (step - from.step) });
            }
          }
          requestAnimationFrame(look);
        };
        look();
      }),
    [SETTLE_MS, MEASURED_MS],
  );

const hasHalfPrecision = (page: Page): Promise<boolean> =>
  page.evaluate(async () => (await navigator.gpu?.requestAdapter())?.features.has('shader-f16') ?? false);
