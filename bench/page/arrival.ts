/** How long a first visitor waits on a slow network: for the pad's answer, until a run can start, and for its first step. */
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { FAST_3G, slowServer } from '../../scripts/slow-server.ts';
import { add, type Samples } from './samples.ts';

/** One visit to the built page, nothing cached. Train is pressed as soon as it is possible. */
export async function measureArrival(page: Page, samples: Samples): Promise<void> {
  const server = await slowServer(fileURLToPath(new URL('../../dist', import.meta.url)), FAST_3G);
  await page.addInitScript(() => {
    const shown = (label: string) =>
      [...document.querySelectorAll('label')].find(({ textContent }) => textContent === label)?.control
        ?.textContent ?? '';
    const times: Record<string, number> = {};
    const wanted: readonly [name: string, label: string, pattern: RegExp][] = [
      ['answer', 'Prediction', /^\d$/],
      ['ready', 'Status', /^Ready$/],
      ['step', 'Step', /^[1-9]/],
    ];
    const look = () => {
      for (const [name, label, pattern] of wanted)
        if (!(name in times) && pattern.test(shown(label))) times[name] = performance.now();
      if ('ready' in times && !('pressed' in times)) {
        times['pressed'] = performance.now();
        for (const button of document.querySelectorAll('button'))
          if (button.textContent.startsWith('Train') && button.closest('[aria-label="Run"]')) button.click();
      }
      if ('answer' in times && 'step' in times) Object.assign(globalThis, { arrival: times });
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto('data:text/html,wgrad');
  await page.goto(server.address);
  const times = await page.waitForFunction(
    () => (globalThis as { arrival?: Record<string, number> }).arrival,
  );
  const { answer = NaN, ready = NaN, pressed = NaN, step = NaN } = (await times.jsonValue()) ?? {};
  const on = 'on Fast 3G (180 kB/s, 562 ms)';
  add(samples, `from opening the page to the pad’s answer, ${on}`, 'ms', answer);
  add(samples, `from opening the page until a run can start, ${on}`, 'ms', ready);
  add(samples, `from Train to the first step, ${on}`, 'ms', step - pressed);
  server.close();
}
