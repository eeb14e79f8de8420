import { expect, type Page } from '@playwright/test';

/** Records every row that the table of losses shows from now on, by step. */
export async function writeDownLosses(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen: Record<string, string> = {};
    Object.assign(globalThis, { seenLosses: seen });
    const table = [...document.querySelectorAll('table')].find((one) =>
      one.caption?.textContent?.startsWith('Loss at the first'),
    );
    new MutationObserver(() => {
      for (const row of table?.rows ?? []) {
        const step = row.querySelector('th[scope="row"]')?.textContent;
        const loss = row.querySelector('td')?.textContent;
        if (step && loss) seen[step] = loss;
      }
    }).observe(table as Node, { subtree: true, childList: true, characterData: true });
  });
}

export const writtenLosses = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() => (globalThis as unknown as { seenLosses: Record<string, string> }).seenLosses);

/** Fails unless two runs had the same losses, to the last digit shown, at `atLeast` steps after `after`, up to `until`. */
export function expectSameLosses(
  disturbed: Record<string, string>,
  undisturbed: Record<string, string>,
  { after, until = Infinity, atLeast }: { after: number; until?: number; atLeast: number },
): void {
  const steps = Object.keys(disturbed).filter((step) => Number(step) > after && Number(step) <= until);
  const common = steps.filter((step) => step in undisturbed);
  expect(common.length, `steps after ${after} that both runs showed`).toBeGreaterThanOrEqual(atLeast);
  for (const step of common) expect(disturbed[step], `loss of step ${step}`).toBe(undisturbed[step]);
}
