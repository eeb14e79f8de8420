/**
 * How far the picture of the network is behind the run on the Train screen, at the pace to watch and at full speed, from the click
 * on Train; and what it costs: steps per second with and without it, in turns. By the page's own clock, at each frame that it draws.
 */
import type { Page } from '@playwright/test';
import { percentile } from '../../scripts/frames.mjs';
import { add, type Samples } from './samples.ts';

const FOLLOWED_MS = 15_000;
const TURN_MS = 4000;
const TURNS = 6;

/** As the page stores them. */
const PACED: readonly [name: string, pace: string][] = [
  ['Watch', '40'],
  ['full speed', 'full'],
];

/** One visit for each pace. */
export const PICTURE = PACED.map(
  (pace) => (page: Page, address: string, samples: Samples) => measure(page, address, samples, pace),
);

async function measure(
  page: Page,
  address: string,
  samples: Samples,
  [name, pace]: (typeof PACED)[number],
): Promise<void> {
  await page.addInitScript((stored) => (localStorage['wgrad.pace'] = stored), pace);
  await page.goto(`${address}#/train?v=2&epochs=100000`);
  await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
  await page
    .getByLabel('Status', { exact: true })
    .filter({ hasText: /^Ready$/ })
    .waitFor();
  const { first, steps, ms } = await page.evaluate(follow, FOLLOWED_MS);
  const record = (what: string, unit: string, value: number) =>
    add(samples, `the picture of the network, ${name}: ${what}`, unit, value);
  record('from the first step to the first frame of one’s own network', 'ms', first);
  for (const [which, part] of [
    ['median', 0.5],
    ['worst', 1],
  ] as const) {
    record(
      `${which} lag behind the step shown, in steps`,
      'steps',
      percentile(Float64Array.from(steps).sort(), part),
    );
    record(
      `${which} lag behind the step shown, in time`,
      'ms',
      percentile(Float64Array.from(ms).sort(), part),
    );
  }
  if (pace !== 'full') return;
  const speeds: [number[], number[]] = [[], []];
  for (let turn = 0; turn < TURNS; turn++)
    speeds[turn % 2].push(await page.evaluate(speed, { isShown: turn % 2 === 0, forMs: TURN_MS }));
  const [shown, hidden] = speeds.map((all) => percentile(Float64Array.from(all).sort(), 0.5));
  record('steps per second with it', 'steps/s', shown);
  record('steps per second without it', 'steps/s', hidden);
  record('of the speed, it costs', '%', 100 * (1 - shown / hidden));
}

/** Presses Train. At each frame from the first of one's own network: how many steps, and how long, it is behind. */
const follow = (forMs: number): Promise<{ first: number; steps: number[]; ms: number[] }> =>
  new Promise((done) => {
    const button = [...document.querySelectorAll('[aria-label="Run"] button')].find((one) =>
      one.textContent.startsWith('Train'),
    );
    const number = (text: string | null | undefined) => Number(text?.replaceAll(/\D/g, ''));
    const step = [...document.querySelectorAll('label')].find(
      ({ textContent }) => textContent === 'Step',
    )?.control;
    const words = document.querySelector('[data-tour="network"]')?.lastElementChild;
    /** When each step was shown first. */
    const shown: { step: number; at: number }[] = [];
    const [steps, ms]: [number[], number[]] = [[], []];
    let first: number | undefined;
    (button as HTMLElement | undefined)?.click();
    const look = () => {
      const now = performance.now();
      const at = number(step?.textContent);
      if (at > (shown.at(-1)?.step ?? 0)) shown.push({ step: at, at: now });
      const after = number(/ after ([\d,]+) steps?,/.exec(words?.textContent ?? '')?.[1] ?? '0');
      if (after > 0 && shown.length > 0) {
        first ??= now - shown[0].at;
        steps.push(Math.max(0, at - after));
        ms.push(now - (shown.find((one) => one.step > after)?.at ?? now));
      }
      if (first !== undefined && now > shown[0].at + forMs) done({ first, steps, ms });
      else requestAnimationFrame(look);
    };
    look();
  });

/** Steps per second, with or without the picture. */
const speed = async ({ isShown, forMs }: { isShown: boolean; forMs: number }): Promise<number> => {
  const picture = document.querySelector<HTMLElement>('[data-tour="network"]');
  if (picture) picture.style.display = isShown ? '' : 'none';
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const control = [...document.querySelectorAll('label')].find(
    ({ textContent }) => textContent === 'Step',
  )?.control;
  const now = () => ({ at: performance.now(), step: Number(control?.textContent?.replaceAll(/\D/g, '')) });
  await wait(500);
  const from = now();
  await wait(forMs);
  const to = now();
  return (1000 * (to.step - from.step)) / (to.at - from.at);
};
