/**
 * How long a person waits for the built page, and how long its main thread works per frame while a run trains: the rows of waits.ts
 * and frames.ts, of arrival.ts on a slow network, of picture.ts, and of speed.ts, as JSON lines and a table.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chromium, type Browser, type Page } from '@playwright/test';
import { findBrowser, headlessShell } from '../../scripts/browser.mjs';
import { outputPath } from '../output.ts';
import { machineNow, markdown, roundedSpread, type Circumstances } from '../rows.ts';
import { measureArrival } from './arrival.ts';
import { measureFrames } from './frames.ts';
import { PICTURE } from './picture.ts';
import type { Samples } from './samples.ts';
import { SPEED } from './speed.ts';
import { measureWaits } from './waits.ts';

const USAGE = `npm run build && npm run bench:page -- [--rounds N] [--engine auto|gpu|cpu] [--only PART] [--address URL] [--headed | --installed] [--flags='...'] [--note TEXT]

--only: waits, frames, arrival, picture or speed.  --address: of a page that something else serves, for example a proxy that is slow.  --flags: of Chromium, separated by spaces.
--installed: the browser itself without a window, on the machine's GPU, instead of its headless shell, which has none. CHROME_PATH says which.
--note: of the circumstances, for each row. What claims read begins with the card, which a browser does not name.`;

type Measure = (page: Page, address: string, samples: Samples) => Promise<void>;

/** Each measure has a page of its own. */
const PARTS: Readonly<Record<string, readonly Measure[]>> = {
  waits: [measureWaits],
  frames: [measureFrames],
  arrival: [(page, _, samples) => measureArrival(page, samples)],
  picture: PICTURE,
  speed: SPEED,
};

export async function main(words: string[]): Promise<void> {
  const { values } = parseArgs({
    args: words,
    options: {
      rounds: { type: 'string', default: '5' },
      engine: { type: 'string', default: 'auto' },
      only: { type: 'string' },
      address: { type: 'string' },
      flags: { type: 'string', default: '' },
      note: { type: 'string', default: '' },
      headed: { type: 'boolean', default: false },
      installed: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const { only } = values;
  if (only !== undefined && !(only in PARTS))
    throw new Error(`expected --only ${Object.keys(PARTS).join(', ')}, found ${only}`);
  const parts = Object.entries(PARTS)
    // A slow network is the benchmark's own.
    .filter(([name]) => (only ?? name) === name && !(values.address && name === 'arrival'))
    .flatMap(([, measures]) => measures);
  const machine = machineNow();
  const date = new Date().toISOString();
  const server = values.address ? undefined : await served();
  const address = values.address ?? server?.resolvedUrls?.local[0] ?? '';
  const browser = await chromium.launch({
    ...(values.headed || values.installed
      ? { executablePath: findBrowser(), headless: !values.headed }
      : headlessShell()),
    // Playwright's own choice of a software GPU.
    ...(values.installed && { ignoreDefaultArgs: ['--enable-unsafe-swiftshader'] }),
    args: ['--no-sandbox', '--enable-unsafe-webgpu', ...values.flags.split(' ').filter(Boolean)],
  });
  try {
    if (values.installed) await awaitAdapter(browser, address);
    const samples: Samples = new Map();
    let adapter = '';
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const measure of parts) {
        const page = await newPage(browser, values.engine);
        await measure(page, address, samples);
        adapter = await adapterOf(page);
        await page.context().close();
      }
      console.error(`round ${round + 1} of ${values.rounds}`);
    }
    const runtime = `Chromium ${browser.version()}`;
    print({ adapter, runtime, machine, date }, values.note, samples);
  } finally {
    await browser.close();
    await server?.close();
  }
}

async function served() {
  const { preview } = await import('vite');
  return preview({ preview: { port: 0 }, logLevel: 'warn' });
}

/** Chromium 156 without a window answers null to the first requests for an adapter on NVIDIA's driver, while its GPU process starts. */
async function awaitAdapter(browser: Browser, address: string): Promise<void> {
  const page = await browser.newPage();
  await page.goto(new URL('licences.txt', address).href);
  const found = await page.evaluate(async () => {
    for (let tries = 0; tries < 20; tries++) {
      if (await navigator.gpu?.requestAdapter()) return true;
      await new Promise((done) => setTimeout(done, 300));
    }
    return false;
  });
  if (!found)
    console.error('This browser has no adapter: bench/README.md lists the flags that a GPU may need.');
}

/** A page without a cache, at full speed. */
async function newPage(browser: Browser, engine: string): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    serviceWorkers: 'block',
  });
  context.setDefaultTimeout(300_000);
  await context.addInitScript((chosen) => {
    if (!location.protocol.startsWith('http')) return;
    localStorage['wgrad.pace'] ??= 'full';
    if (chosen !== 'auto') localStorage['wgrad.engine'] ??= chosen;
  }, engine);
  return context.newPage();
}

const adapterOf = async (page: Page): Promise<string> => {
  const device = page.getByRole('button', { name: /^Device: / });
  return (
    /Device: (.*)/.exec((await device.getAttribute('aria-label')) ?? (await device.innerText()))?.[1] ?? ''
  );
};

function print(circumstances: Circumstances, note: string, samples: Samples): void {
  const rows = [...samples].map(([what, { unit, values }]) => ({
    what,
    unit,
    n: values.length,
    ...roundedSpread(values),
    // In their order: at the first visit nothing is in the driver's cache.
    values: values.map((value) => Number(value.toPrecision(4))),
    ...circumstances,
    ...(note && { note }),
  }));
  const { adapter, runtime, machine, date } = circumstances;
  const table = markdown(
    ['what', 'unit', 'median:', '10 %:', '90 %:', 'n:'],
    rows.map(({ what, unit, median, p10, p90, n }) => [what, unit, median, p10, p90, n]),
  );
  const text = `# The page\n\n${[adapter, runtime, machine, date, note].filter(Boolean).join('; ')}.\n\n${table}\n`;
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const name = `page-${adapter.replace(/\(.*/, '').trim().toLowerCase().replace(/\W+/g, '-')}`;
  writeFileSync(outputPath(`${name}.jsonl`), lines);
  writeFileSync(outputPath(`${name}.md`), text);
  process.stdout.write(lines);
  console.error(`\n${text}\n${outputPath(name)}.jsonl and .md`);
}
