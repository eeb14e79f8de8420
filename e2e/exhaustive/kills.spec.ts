/** Browsers that are killed while they save: what is kept is whole, and resumes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { chromium, expect, test, type Page } from '@playwright/test';
import { findBrowser } from '../../scripts/browser.mjs';
import { Random } from '../../src/base/random.ts';
import { SEED } from '../../src/base/testing/exhaustive.ts';
import { freePort } from '../browser.ts';
import { keptCurve, keptRuns } from '../kept.ts';
import { RunPage } from '../run.ts';

const KILLS = Number(process.env['WGRAD_KILLS'] ?? 20);

/** Of a browser, where much else runs. */
const START_MS = 120_000;

interface Visit {
  page: Page;
  /** Kills the browser with all its processes. */
  kill(): Promise<void>;
}

async function visit(profile: string, address: string): Promise<Visit> {
  const port = await freePort();
  const flags = ['--headless=new', '--no-sandbox', '--no-first-run', `--user-data-dir=${profile}`];
  const browser: ChildProcess = spawn(findBrowser()!, [...flags, `--remote-debugging-port=${port}`], {
    detached: true,
    stdio: 'ignore',
  });
  const ended = new Promise<void>((done) => browser.once('exit', () => done()));
  const connect = () => chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  let connected: Awaited<ReturnType<typeof connect>> | undefined;
  await expect
    .poll(async () => (connected = await connect().catch(() => undefined)) !== undefined, {
      timeout: START_MS,
    })
    .toBe(true);
  const page = await connected!.contexts()[0].newPage();
  await page.goto(address, { timeout: START_MS });
  return {
    page,
    kill: async () => {
      process.kill(-browser.pid!, 'SIGKILL');
      await ended;
    },
  };
}

/** Names of what an unfinished write leaves behind. */
const remains = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const found: string[] = [];
    const walk = async (folder: FileSystemDirectoryHandle): Promise<void> => {
      for await (const entry of folder.values()) {
        if (entry.kind === 'directory') await walk(entry as FileSystemDirectoryHandle);
        else if (/\.(part|crswap)$/.test(entry.name)) found.push(entry.name);
      }
    };
    await walk(await navigator.storage.getDirectory());
    return found;
  });

test(`${KILLS} browsers killed while they save, seed ${SEED}`, async ({ baseURL }, info) => {
  test.setTimeout(KILLS * 60_000);
  const random = new Random(SEED, 'kills');
  const profile = info.outputPath('profile');
  let before = 0;
  for (let kill = 0; kill <= KILLS; kill++) {
    const { page, kill: end } = await visit(profile, baseURL!);
    try {
      const run = new RunPage(page);
      await run.ready();
      if (kill > 0) {
        await expect.poll(() => remains(page), { message: `after kill ${kill}` }).toEqual([]);
        await expect(page.getByText('checkpoint is damaged')).toHaveCount(0);
        const [kept] = await keptRuns(page);
        if (kept) {
          // Curves are written before the checkpoint that they lead to.
          const { step } = await keptCurve(page, kept.id);
          expect([...step].slice(0, 2048)).toEqual([...step].map((_, at) => at + 1));
          if (kept.checkpoint && kept.checkpoint.step < 2048)
            expect(step.length).toBeGreaterThanOrEqual(kept.checkpoint.step);
          if (kept.checkpoint) {
            expect(kept.checkpoint.step, 'no progress is lost').toBeGreaterThanOrEqual(before);
            before = kept.checkpoint.step;
          }
        }
      }
      if (kill === KILLS) break;
      const resume = page.getByRole('button', { name: /^Resume from step/ });
      if (before > 0) await resume.click();
      else {
        await run.chooseSmallModel();
        await run.set('Batch size', '200');
        await run.press('Train');
      }
      await run.reaches(before + 1);
      // Pausing saves; so does every epoch, of 50 steps.
      if (random.below(2) === 0) await run.press('Pause');
      await page.waitForTimeout(random.below(2500));
    } finally {
      await end();
    }
  }
  await rm(profile, { recursive: true, force: true });
});
