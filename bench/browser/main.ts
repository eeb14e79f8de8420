/** Times training in one browser, a page for each library, and writes dist/results/. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser } from '@playwright/test';
import { build, preview } from 'vite';
import { ensureBrowser } from '../../scripts/browser.mjs';
import { measureTraining, rowsOf, tableOf, type Row } from '../lenet5/measure.ts';
import type { Round, Task } from '../lenet5/peer.ts';
import { readSettings } from '../lenet5/settings.ts';
import { outputPath } from '../output.ts';
import { machineNow } from '../rows.ts';
import type { Contender, TurnsOptions } from '../turns.ts';
import type { LibraryName } from './page.ts';

const LIBRARIES: readonly LibraryName[] = ['wgrad', 'tfjs', 'jax'];

const root = fileURLToPath(new URL('../..', import.meta.url));

export async function main(words: readonly string[]): Promise<void> {
  const settings = readSettings(words, { batchSizes: [64], rounds: 10, roundMs: 3000 });
  const machine = machineNow();
  const server = await serve();
  try {
    const browser = await chromium.launch({
      executablePath: ensureBrowser(),
      // Containers have no sandbox; the second lets WebGPU take SwiftShader where there is no GPU.
      args: ['--no-sandbox', '--enable-unsafe-webgpu'],
    });
    try {
      const rows: Row[] = [];
      for (const batchSize of settings.batchSizes) {
        for (const optimizer of settings.optimizers) {
          const task = { engine: settings.engine, optimizer, batchSize, seed: 1 };
          const measured = await measure({ browser, address: server.address, machine }, task, settings);
          for (const row of measured) console.log(JSON.stringify(row));
          rows.push(...measured);
        }
      }
      write(rows);
    } finally {
      await browser.close();
    }
  } finally {
    await server.close();
  }
}

/** Builds the page and serves it. */
async function serve() {
  const outDir = join(root, 'bench/dist/browser');
  const shared = { root, configFile: false, logLevel: 'warn' } as const;
  await build({
    ...shared,
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      chunkSizeWarningLimit: 5000,
      rollupOptions: { input: join(root, 'bench/browser/page.html') },
    },
  });
  const server = await preview({ ...shared, build: { outDir }, preview: { port: 0 } });
  const [address] = server.resolvedUrls?.local ?? [];
  if (address === undefined) throw new Error('the server of the pages has no address');
  return { address, close: () => server.close() };
}

interface ServedPage {
  browser: Browser;
  /** Of the page's server. */
  address: string;
  machine: string;
}

async function measure(
  { browser, address, machine }: ServedPage,
  task: Task,
  options: TurnsOptions,
): Promise<Row[]> {
  const context = await browser.newContext();
  const open = async (library: LibraryName) => {
    const page = await context.newPage();
    page.on('pageerror', (error) => console.error(`${library}: ${error.message}`));
    await page.goto(new URL('bench/browser/page.html', address).href);
    const title = await page.evaluate(([name, what]) => window.bench.open(name, what), [
      library,
      task,
    ] as const);
    const contender: Contender<Round> = {
      title,
      async run(steps) {
        await page.bringToFront();
        return page.evaluate((count) => window.bench.train(count), steps);
      },
    };
    return { page, contender };
  };
  const pages = [];
  for (const library of LIBRARIES) pages.push(await open(library));
  const measured = await measureTraining(
    pages.map(({ contender }) => contender),
    task,
    options,
  );
  const adapter = await pages[0].page.evaluate((engine) => window.bench.adapter(engine), task.engine);
  await context.close();
  return rowsOf(measured, task, {
    adapter,
    runtime: `Chromium ${browser.version()}`,
    machine,
    date: new Date().toISOString(),
  });
}

function write(rows: readonly Row[]): void {
  const [{ adapter, runtime, machine, date }] = rows;
  const slug = adapter
    .toLowerCase()
    .replace(/\(.*?\)/g, '')
    .trim()
    .replace(/[^a-z0-9]+/g, '-');
  const table = tableOf(rows);
  const path = outputPath(`lenet5-training-${slug}`);
  writeFileSync(`${path}.json`, `${JSON.stringify(rows, null, 2)}\n`);
  writeFileSync(
    `${path}.md`,
    `# LeNet-5, training\n\n${adapter}; ${runtime}; ${machine}; ${date}\n\n${table}\n`,
  );
  console.error(`\n${table}\n\n${path}.json and .md`);
}
