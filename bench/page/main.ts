/**
 * How long a person waits for the built page, and how long its main thread works per frame while a run trains: the rows of waits.ts
 * and frames.ts, and of arrival.ts on a slow network, as JSON lines and a table.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chromium, type Browser, type Page } from '@playwright/test';
import { preview } from 'vite';
import { findBrowser, headlessShell } from '../../scripts/browser.mjs';
import { outputPath } from '../output.ts';
import { machineNow, markdown, roundedSpread, type Circumstances } from '../rows.ts';
import { measureArrival } from './arrival.ts';
import { measureFrames } from './frames.ts';
import type { Samples } from './samples.ts';
import { measureWaits } from './waits.ts';

const USAGE = `npm run build && npm run bench:page -- [--rounds N] [--engine auto|gpu|cpu] [--only PART] [--address URL] [--headed] [--flags '...'] [--note TEXT]

--only: waits, frames or arrival.  --address: of a page that something else serves, for example a proxy that is slow.  --flags: of Chromium, separated by spaces.
--note: of the circumstances, for each row.`;

type Measure = (page: Page, address: string, samples: Samples) => Promise<void>;

const PARTS: Readonly<Record<string, Measure>> = {
  waits: measureWaits,
  frames: measureFrames,
  arrival: (page, _, samples) => measureArrival(page, samples),
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
    .map(([, measure]) => measure);
  const machine = machineNow();
  const date = new Date().toISOString();
  const server = values.address ? undefined : await preview({ preview: { port: 0 }, logLevel: 'warn' });
  const address = values.address ?? server?.resolvedUrls?.local[0] ?? '';
  const browser = await chromium.launch({
    ...(values.headed ? { executablePath: findBrowser(), headless: false } : headlessShell()),
    args: ['--no-sandbox', '--enable-unsafe-webgpu', ...values.flags.split(' ').filter(Boolean)],
  });
  try {
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
