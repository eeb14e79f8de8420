/** Browsers that are killed while they save: what is kept is whole, and resumes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { chromium, expect, test, type Page } from '@playwright/test';
import { findBrowser } from '../../scripts/browser.mjs';
import { Random } from '../../src/base/random.ts';
import { SEED } from '../../src/base/testing/tier.ts';
import { freePort } from '../browser.ts';
import { keptCurve, keptRuns } from '../kept.ts';
import { RunPage } from '../run.ts';

const KILLS = Number(process.env['WGRAD_KILLS'] ?? 20);

/** Of a browser, where much else runs. */
const START_MS = 120_000;

/**
 * Goes before the worker's code: files are written in two halves with time between them, and renamed slowly, so that kills come
 * in the middle. It says when a file is begun and when it has its name.
 */
const SLOW_WRITES = `{
  const wait = (ms) => { for (const end = performance.now() + ms; performance.now() < end; ); };
  const { write } = FileSystemSyncAccessHandle.prototype;
  FileSystemSyncAccessHandle.prototype.write = function (bytes, { at }) {
    console.log('begun');
    const half = bytes.length >> 1;
    const first = write.call(this, bytes.subarray(0, half), { at });
    this.flush();
    wait(100);
    return first + write.call(this, bytes.subarray(half), { at: at + half });
  };
  const { move } = FileSystemFileHandle.prototype;
  FileSystemFileHandle.prototype.move = async function (...place) {
    await new Promise((done) => setTimeout(done, 60));
    const isNew = this.name.endsWith('.part');
    await move.apply(this, place);
    if (isNew) console.log('ended');
  };
}\n`;

interface Visit {
  page: Page;
  /** Whether it is writing a file. */
  isWriting(): boolean;
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
  // It would answer with the worker's code as it is.
  await page.addInitScript(() => {
    ServiceWorkerContainer.prototype.register = () => new Promise(() => undefined);
  });
  await page.route(/\/assets\/main-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: SLOW_WRITES + (await response.text()) });
  });
  let begun = 0;
  page.on('console', (message) => {
    if (message.text() === 'begun') begun++;
    if (message.text() === 'ended') begun--;
  });
  await page.goto(address, { timeout: START_MS });
  return {
    page,
    isWriting: () => begun > 0,
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
  let inWrites = 0;
  for (let kill = 0; kill <= KILLS; kill++) {
    const { page, isWriting, kill: end } = await visit(profile, baseURL!);
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
      // Checkpoints are one of the files. A pause writes few.
      const begins = () => expect.poll(isWriting, { intervals: [5], timeout: 10_000 }).toBe(true);
      for (let file = random.below(4); file >= 0; file--) {
        const hasBegun = await begins().then(
          () => true,
          () => false,
        );
        if (!hasBegun) break;
        await page.waitForTimeout(random.below(200));
      }
      if (isWriting()) inWrites++;
    } finally {
      await end();
    }
  }
  console.log(`seed ${SEED}: ${inWrites} of ${KILLS} kills in the middle of a file`);
  expect(inWrites).toBeGreaterThanOrEqual(KILLS / 2);
  await rm(profile, { recursive: true, force: true });
});
